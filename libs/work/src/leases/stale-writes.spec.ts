import { EventTypes, handleCommand, InMemoryEventStore, newId, NO_STREAM } from '#libs/kernel';
import { metaOf, WORKSPACE } from '#libs/kernel/testing';
import { taskDecider, type TaskCommand } from '../task.decider.js';
import { taskEvents } from '../task-events.js';
import { ada, at, bo, claim, expire, LEASE_MS, leased, playOn, renew, report, system } from '../testing/tasks.js';

const TRIES = 10_000;
const retaken = playOn(leased, expire(system, { fence: '1' }, { at: at(LEASE_MS) }), claim(bo, {}));

describe(`${TRIES} stale writes`, () => {
  it('leave one event a kind, and change nothing for whoever holds the task now', async () => {
    const store = new InMemoryEventStore(new EventTypes(taskEvents));
    const { actor: _, at: __, ...meta } = metaOf(ada, { commandId: newId(), auditId: newId() });
    const author = { ...meta, workspaceId: WORKSPACE, auditId: newId(), actor: { id: 'ada', kind: 'agent' as const }, credentialId: 'c' };
    await store.append(
      'task-test',
      retaken.map((event) => ({ ...event, id: newId(), meta: author })),
      NO_STREAM,
    );
    const send = (command: TaskCommand) =>
      handleCommand(store, taskDecider, 'test', { ...command, meta: { ...command.meta, commandId: newId() } }).then(
        () => 'accepted',
        (error: { refusal?: { code: string } }) => error.refusal?.code,
      );
    const codes = new Map<string | undefined, number>();
    for (let tried = 0; tried < TRIES; tried += 20) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => send(index % 2 === 0 ? renew(ada, { fence: '1' }) : report(ada, { fence: '1' }))),
      );
      for (const code of answers) codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    expect([...codes]).toEqual([['lease/lost', TRIES]]);
    const { events } = await store.readStream('task-test');
    expect(events.slice(retaken.length).map(({ type, data }) => [type, (data as { command: string }).command])).toEqual([
      ['StaleLeaseRejected', 'RenewLease'],
      ['StaleLeaseRejected', 'ReportWork'],
    ]);
  });
});
