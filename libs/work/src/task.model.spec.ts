import fc from 'fast-check';
import { fold, principal, recorded } from '#libs/kernel/testing';
import { taskDecider, type TaskCommand } from './task.decider.js';
import type { TaskEvent } from './task-events.js';
import type { Task } from './task.js';
import { evolveView, type TaskView } from './task-view.js';
import {
  ada,
  agent,
  at,
  block,
  bo,
  cancel,
  claim,
  digestIn,
  expire,
  LEASE_MS,
  olga,
  queue,
  receipt,
  release,
  renew,
  report,
  requeue,
  revoke,
  ship,
  system,
  take,
  unblock,
  vera,
  verdict,
  worker,
} from './testing/tasks.js';

jest.setTimeout(60_000);

const actors = [
  ada,
  bo,
  agent('cy'),
  vera,
  worker,
  principal('ada', { roles: ['verifier'], kind: 'agent', credentialId: 'other' }),
  olga,
  system,
];
const actor = fc.constantFrom(...actors);
/** Relative to the newest fence, so that runs meet live, stale and future ones. */
const age = fc.constantFrom(0, 0, 0, 0, -1, -2, 1);
const moment = fc.nat({ max: 3 * LEASE_MS });
const kind = fc.constantFrom('implementation' as const, 'verification' as const);
const judged = fc.constantFrom('verified' as const, 'verified' as const, 'rejected' as const, 'unverifiable' as const);

type Live = Readonly<{ fence: string; holder: string }>;
type Step = (newest: bigint, live: Live | undefined, events: readonly TaskEvent[]) => TaskCommand;
const fenceAt = (newest: bigint, age: number) => String(newest + BigInt(age));
/** Mostly from the live holder, so that runs get somewhere; else from anybody. */
const step = (
  make: (newest: bigint, events: readonly TaskEvent[], who: typeof ada, when: string, age: number) => TaskCommand,
): fc.Arbitrary<Step> =>
  fc.tuple(actor, fc.nat({ max: 9 }), moment, age).map(
    ([anyone, luck, ms, old]): Step =>
      (newest, live, events) =>
        make(
          newest,
          events,
          (luck < 7 ? actors.find(({ credentialId }) => credentialId === live?.holder) : undefined) ?? anyone,
          at(ms),
          old,
        ),
  );

const steps: fc.Arbitrary<Step> = fc.oneof(
  step((_n, _e, who, when) => claim(who, {}, { at: when })),
  step((_n, _e, who, when) => claim(who, { amend: false }, { at: when })),
  kind.chain((of) => step((n, _e, who, when, old) => renew(who, { fence: fenceAt(n, old), kind: of }, { at: when }))),
  kind.chain((of) => step((n, _e, who, when, old) => release(who, { fence: fenceAt(n, old), kind: of }, { at: when }))),
  step((n, _e, _who, when, old) => expire(system, { fence: fenceAt(n, old) }, { at: when })),
  step((n, _e, _who, when, old) => revoke(olga, { fence: fenceAt(n, old) }, { at: when })),
  step((n, _e, who, when, old) => block(who, { fence: fenceAt(n, old) }, { at: when })),
  step((_n, _e, who) => unblock(who, {})),
  step((n, _e, who, when, old) => report(who, { fence: fenceAt(n, old) }, { at: when })),
  step((n, _e, who, when, old) => report(who, { fence: fenceAt(n, old) }, { at: when })),
  step((_n, _e, who, when) => take(who, {}, { at: when })),
  step((_n, _e, who, when) => take(who, {}, { at: when })),
  judged.chain((of) =>
    step((n, events, who, _when, old) =>
      verdict(who, { fence: fenceAt(n, old), reportDigest: digestIn(events), verdict: of, findings: [{ code: 'x', detail: 'x' }] }),
    ),
  ),
  judged.chain((of) =>
    step((n, events, who, _when, old) =>
      verdict(who, { fence: fenceAt(n, old), reportDigest: digestIn(events), verdict: of, findings: [{ code: 'x', detail: 'x' }] }),
    ),
  ),
  step(() => requeue(olga, {})),
  step(() => ship(olga, {})),
  step(() => ship(olga, {})),
  step(() => receipt(system, {})),
  step(() => queue(system, {})),
  fc.oneof({ weight: 1, arbitrary: step(() => cancel(olga, {})) }, { weight: 9, arbitrary: step((_n, _e, who) => claim(who, {})) }),
);

/** The model: who holds the live fence, told from the events alone, without the decider's own fold. */
type Model = { newest: bigint; live?: Live };
const ENDS: readonly string[] = [
  'LeaseReleased',
  'LeaseExpired',
  'LeaseRevoked',
  'VerificationExpired',
  'WorkReported',
  'WorkVerified',
  'WorkRejected',
  'WorkUnverifiable',
];
const WRITES: readonly string[] = [
  'LeaseRenewed',
  'LeaseReleased',
  'TaskBlocked',
  'WorkReported',
  'WorkVerified',
  'WorkRejected',
  'WorkUnverifiable',
];

const follow = (model: Model, event: TaskEvent, by: string /* credential */): void => {
  if (WRITES.includes(event.type)) {
    // A stale fence, or another's, never writes.
    expect(model.live).toMatchObject({ fence: (event.data as { fence: string }).fence, holder: by });
  }
  if (event.type === 'LeaseGranted' || event.type === 'VerificationGranted') {
    expect(model.live).toBeUndefined();
    expect(BigInt(event.data.fence)).toBe(model.newest + 1n);
    model.newest = BigInt(event.data.fence);
    model.live = { fence: event.data.fence, holder: by };
  }
  if (ENDS.includes(event.type)) {
    expect((event.data as { fence: string }).fence).toBe(model.live?.fence);
    delete model.live;
  }
  if (event.type === 'TaskCancelled') delete model.live;
};

const shown = (view: TaskView | undefined) => ({
  status: view?.status,
  leaseId: view?.leaseId,
  until: view?.leaseExpiresAt,
  fence: view?.fence,
});
const decided = (state: Task) => {
  const { leaseId, expiresAt: until } = 'lease' in state ? state.lease : {};
  return { status: state.status, leaseId, until, fence: state.status === 'none' ? undefined : state.facts.fence };
};

describe('Whatever is sent to a task, in whatever order', () => {
  it('at most one lease is live, fences only rise, a stale one never writes, and every command is answered', () => {
    const reached = new Set<string>();
    fc.assert(
      fc.property(fc.array(steps, { minLength: 1, maxLength: 60, size: 'max' }), (run) => {
        const events: TaskEvent[] = taskDecider.decide(queue(system, {}), taskDecider.initialState).events.slice();
        const model: Model = { newest: 0n };
        let state = fold(taskDecider, events);
        let view = evolveView(undefined, recorded(events[0]!, { stream: 'task-test' }));
        for (const make of run) {
          const command = make(model.newest, model.live, events);
          const decision = taskDecider.decide(command, state);
          expect(decision.events.length > 0 || decision.refusal !== undefined).toBe(true);
          const grows = decision.refusal ? ['StaleLeaseRejected', 'VerificationRefused', 'LeaseRevoked'] : undefined;
          for (const event of decision.events) {
            if (grows) expect(grows).toContain(event.type);
            follow(model, event, command.meta.actor.credentialId);
            const read = recorded(event, { stream: 'task-test', revision: BigInt(events.length) });
            state = taskDecider.evolve(state, read);
            view = evolveView(view, read);
            events.push(event);
          }
          reached.add(state.status);
          expect('lease' in state ? state.lease.fence : undefined).toBe(model.live?.fence);
          // What is shown is what is decided by, in every step.
          expect(shown(view)).toEqual(decided(state));
        }
      }),
      { numRuns: 400 },
    );
    // The runs went everywhere, else they would show nothing.
    expect([...reached].sort()).toEqual(expect.arrayContaining(['blocked', 'leased', 'queued', 'reported', 'verified', 'verifying']));
  });

  it('a command to a task that was never queued is refused', () => {
    fc.assert(
      fc.property(steps, (make) => {
        const decision = taskDecider.decide(make(1n, undefined, []), taskDecider.initialState);
        expect(decision.refusal?.code ?? decision.events[0]?.type).toMatch(/^(task\/not-found|TaskQueued)$/);
      }),
    );
  });

  it('folding ignores events that it doesn’t know and events out of place', () => {
    const strays = [
      'LeaseRenewed',
      'LeaseReleased',
      'TaskUnblocked',
      'WorkVerified',
      'VerificationGranted',
      'ReceiptIssued',
      'SomethingNewer',
    ];
    for (const type of strays) {
      const data = { fence: '1', holder: {}, by: {}, leaseId: 'test.1' };
      expect(() => fold(taskDecider, [{ type, data } as unknown as TaskEvent])).not.toThrow();
      expect(
        fold(taskDecider, [
          ...taskDecider.decide(queue(system, {}), taskDecider.initialState).events,
          { type, data } as unknown as TaskEvent,
        ]).status,
      ).toBe('queued');
    }
  });
});
