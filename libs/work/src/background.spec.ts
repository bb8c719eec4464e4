import { CommandBus, CqrsModule } from '@nestjs/cqrs';
import { Test, type TestingModule } from '@nestjs/testing';
import { derivedId, EventStore, EventTypes, InMemoryEventStore, newId, streamName, systemPrincipal, type Recorded } from '#libs/kernel';
import { metaOf, recorded, TENANT, WORKSPACE } from '#libs/kernel/testing';
import type { Deadline, WorkContext } from '#libs/projections';
import { leaseDeadlines } from './leases/lease-deadlines.js';
import { HandleTask, TaskHandler } from './task.handler.js';
import { taskEvents, type TaskEvent } from './task-events.js';
import { ada, at, claim, LEASE_MS, queue, reported, renew, verified, verifying, work } from './testing/tasks.js';
import { taskIdOf, whenMutationCommitted } from './when-mutation-committed.reactor.js';
import { WorkSettings } from './work-settings.js';

describe('In the background', () => {
  let module: TestingModule;
  let commands: CommandBus;
  let store: EventStore;
  let context: WorkContext;
  beforeEach(async () => {
    store = new InMemoryEventStore(new EventTypes(taskEvents));
    module = await Test.createTestingModule({
      imports: [CqrsModule.forRoot()],
      providers: [TaskHandler, { provide: EventStore, useValue: store }],
    }).compile();
    await module.init();
    commands = module.get(CommandBus);
    context = { store, now: () => at(0), signal: new AbortController().signal };
  });
  afterEach(() => module.close());
  const typesIn = async (taskId: string) => (await store.readStream<TaskEvent>(streamName('task', taskId))).events.map(({ type }) => type);

  describe('a committed proposal', () => {
    const proposalId = newId();
    const committed = (over: object = {}): Recorded =>
      recorded(
        {
          type: 'MutationCommitted',
          data: {
            at: at(5),
            operation: 'work.dispatch',
            receipts: [],
            work: { queue: 'code', title: 'Greet', brief: 'Say hello.', scope: work, scopeDigest: 'scope' },
            actionDigest: 'action',
            presentedDigest: 'presented',
            decidedBy: { id: 'ann', name: 'Ann' },
            requester: { id: 'mia', name: 'Mia' },
            agent: { id: 'eve', name: 'Eve' },
            ...over,
          },
        },
        { stream: streamName('proposal', proposalId) },
      );

    it('queues its work, once, under its audit id', async () => {
      const reactor = whenMutationCommitted(commands, new WorkSettings(LEASE_MS, [], { code: 60_000 }));
      await reactor.react(committed(), context);
      await reactor.react(committed(), context);
      const { events } = await store.readStream<TaskEvent>(streamName('task', taskIdOf(proposalId)));
      expect(events).toHaveLength(1);
      expect(events[0]).toMatchObject({
        type: 'TaskQueued',
        data: { proposalId, work, scopeDigest: 'scope', requester: 'mia', decidedBy: 'ann', agent: 'eve', leaseMs: 60_000, at: at(5) },
        meta: { auditId: 'audit-test', tenantId: TENANT, workspaceId: WORKSPACE, causationId: committed().id },
      });
    });
    it('without work queues nothing', async () => {
      await whenMutationCommitted(commands, new WorkSettings()).react(committed({ work: undefined }), context);
      expect(await typesIn(taskIdOf(proposalId))).toEqual([]);
    });
    it('is tried again where the store fails', async () => {
      const failing = { execute: () => Promise.reject(new Error('down')) } as unknown as CommandBus;
      await expect(whenMutationCommitted(failing, new WorkSettings()).react(committed(), context)).rejects.toThrow('down');
    });
  });

  describe('the deadline of a lease', () => {
    const source = () => leaseDeadlines(commands);
    const inStream = (event: TaskEvent) => recorded(event, { stream: 'task-test' });
    const find = (events: readonly TaskEvent[], type: string) => inStream(events.find((event) => event.type === type)!);

    it('is set by a grant of either kind, and moved by a renewal', () => {
      for (const event of [find(reported, 'LeaseGranted'), find(verifying, 'VerificationGranted')]) {
        const { leaseId, expiresAt } = event.data as { leaseId: string; expiresAt: string };
        expect(source().deadline(event)).toEqual({
          set: [
            { key: `lease:${leaseId}`, stream: 'task-test', kind: 'lease', dueAt: expiresAt, tenantId: TENANT, workspaceId: WORKSPACE },
          ],
        });
      }
    });
    it('is cleared by whatever ends the lease', () => {
      expect(source().deadline(find(reported, 'WorkReported'))).toEqual({ clear: ['lease:test.1'] });
      expect(source().deadline(find(verified, 'WorkVerified'))).toEqual({ clear: ['lease:test.2'] });
      const end = { leaseId: 'test.1', fence: '1', at: at(0) };
      for (const type of [
        'LeaseReleased',
        'LeaseRevoked',
        'LeaseExpired',
        'VerificationExpired',
        'WorkRejected',
        'WorkUnverifiable',
        'TaskCancelled',
      ])
        expect(source().deadline(inStream({ type, data: end } as unknown as TaskEvent))).toEqual({ clear: ['lease:test.1'] });
      expect(source().deadline(inStream({ type: 'TaskCancelled', data: { by: 'olga', reason: '', at: at(0) } }))).toEqual({});
    });

    describe('when it has come', () => {
      let taskId: string;
      let deadline: Deadline;
      beforeEach(async () => {
        taskId = newId();
        const send = (command: HandleTask['command']) =>
          commands.execute(new HandleTask(taskId, { ...command, meta: { ...command.meta, commandId: derivedId(taskId, command.type) } }));
        await send(queue(systemPrincipal(TENANT, WORKSPACE), {}));
        await send(claim(ada, {}));
        const { events } = await store.readStream<TaskEvent>(streamName('task', taskId));
        deadline = source().deadline(events[1]!).set![0]!;
      });
      it('ends the lease, once', async () => {
        await source().handlers['lease']!(deadline, at(LEASE_MS), context);
        await source().handlers['lease']!(deadline, at(LEASE_MS), context);
        expect(await typesIn(taskId)).toEqual(['TaskQueued', 'LeaseGranted', 'LeaseExpired']);
      });
      it('leaves a lease alone that was renewed meanwhile', async () => {
        const meta = metaOf(ada, { at: at(LEASE_MS - 1), commandId: derivedId(taskId, 'renew') });
        await commands.execute(new HandleTask(taskId, { ...renew(ada, { fence: '1' }), meta }));
        await source().handlers['lease']!(deadline, at(LEASE_MS), context);
        expect(await typesIn(taskId)).toEqual(['TaskQueued', 'LeaseGranted', 'LeaseRenewed']);
      });
      it('comes again where the store fails', async () => {
        const failing = leaseDeadlines({ execute: () => Promise.reject(new Error('down')) } as unknown as CommandBus);
        await expect(failing.handlers['lease']!(deadline, at(LEASE_MS), context)).rejects.toThrow('down');
      });
    });
  });
});
