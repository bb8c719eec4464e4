import type { CommandBus, ICommand } from '@nestjs/cqrs';
import { Counter, Histogram, type Registry } from 'prom-client';
import { DomainError } from '#libs/kernel';

/**
 * What became of commands, of people, agents, reactors and deadlines alike, and how long they took. A claim is `ClaimTask`, a lease
 * that ran out `ExpireLease`. Put around the bus, so that no handler has to think of it.
 */
export const commandMetrics = (registry: Registry, bus: CommandBus): void => {
  const outcomes = new Counter({
    name: 'workbench_commands_total',
    help: 'Commands by context, type and result: ok, a kind of refusal (conflict, invalid, unavailable, …), or error.',
    labelNames: ['context', 'type', 'result'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'workbench_command_duration_seconds',
    help: 'Time to decide a command and store its events.',
    labelNames: ['context'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const execute: (command: ICommand) => Promise<unknown> = bus.execute.bind(bus);
  const observed = async (sent: ICommand): Promise<unknown> => {
    const context = sent.constructor.name.replace(/^Handle/, '').toLowerCase();
    const type = (sent as { command?: { type?: string } }).command?.type ?? sent.constructor.name;
    const end = durations.startTimer({ context });
    let result = 'ok';
    try {
      return await execute(sent);
    } catch (error) {
      result = error instanceof DomainError ? error.refusal.kind : 'error';
      throw error;
    } finally {
      end();
      outcomes.inc({ context, type, result });
    }
  };
  bus.execute = observed;
};
