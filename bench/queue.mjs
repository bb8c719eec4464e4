import { CommandBus } from '@nestjs/cqrs';
import { agentNamed, queueTasks, REPORT } from './load.mjs';

const { HandleTask } = await import('../dist/libs/work/src/index.js');
const { Claiming } = await import('../dist/libs/work/src/leases/claiming.js');
const { newId } = await import('../dist/libs/kernel/src/index.js');
const { Clock, Database } = await import('../dist/libs/postgres/src/index.js');
const { Positions } = await import('../dist/libs/projections/src/index.js');

/** The product's own queue, by what stands behind its routes. */
export const openQueue = ({ app }) => {
  const get = (token) => app.get(token, { strict: false });
  const { projector } = get(Database);
  const [bus, claiming, clock, positions] = [CommandBus, Claiming, Clock, Positions].map(get);
  const never = new AbortController().signal;

  /** Until the read models show all that is stored, in milliseconds. */
  const settle = async () => {
    const began = performance.now();
    const { rows } = await projector.query('select max(position)::text as position from es.events');
    await positions.waitFor(rows[0].position, 600_000);
    return performance.now() - began;
  };
  const claim = async (actor) => {
    const granted = await claiming.claim(metaOf(actor, clock), {}, never);
    if (!granted) throw new Error('A claim found nothing, though tasks are queued.');
    return granted;
  };
  return {
    settle,
    claim,
    projector,
    /** Has so many tasks waiting, and shown by the read models. */
    async fill(to) {
      const { rows } = await projector.query(`select count(*)::int as waiting from read_models.tasks where status = 'queued'`);
      await queueTasks(projector, to - rows[0].waiting);
      await projector.query(`select pg_notify('events', 'bench')`);
      await settle();
    },
    /** Claims and completes so many; tasks a second. */
    async drain(agents, jobs) {
      let left = jobs;
      const began = performance.now();
      await Promise.all(
        Array.from({ length: agents }, async (_, nth) => {
          const actor = agentNamed(`Ida ${nth}`);
          while (left-- > 0) {
            const granted = await claim(actor);
            const { fence } = granted.events[0].data;
            await bus.execute(new HandleTask(granted.id, { type: 'ReportWork', data: { fence, ...REPORT }, meta: metaOf(actor, clock) }));
          }
        }),
      );
      return (jobs * 1_000) / (performance.now() - began);
    },
  };
};

/** As the edge makes it of a request. */
const metaOf = (actor, clock) => {
  const commandId = newId();
  return {
    tenantId: actor.tenantId,
    workspaceId: actor.workspaceIds[0],
    actor,
    at: clock.now(),
    commandId,
    requestDigest: 'e'.repeat(64),
    correlationId: commandId,
    causationId: commandId,
  };
};
