import { CommandBus } from '@nestjs/cqrs';
import fc from 'fast-check';
import { digestOf, DomainError, EventStore, newId, systemPrincipal, type CommandMeta, type Recorded } from '#libs/kernel';
import { HandleTask, type TaskCommand, type TaskEvent } from '#libs/work';
import { startWorkbench, type Workbench } from '../support/workbench.js';
import { Client } from '../support/client.js';
import { isLong, judgeRace, runs, told, type Told } from './races.js';
import { follow, leaves, predict, queuedModel, type Model, type Wish } from './task-model.js';

const work = {
  repository: '/srv/site',
  baseRevision: 'b'.repeat(40),
  paths: ['src'],
  commands: [],
  checks: [['npm', 'test']],
  criteria: ['It works'],
};
const artifact = { path: 'src/a', mediaType: 'text/plain', size: 1, sha256: 'a'.repeat(64) };

/** Relative to the newest fence as it stood before the race. */
const age = fc.constantFrom(0n, 0n, 0n, 0n, -1n, -2n, 1n);
const member = fc.nat({ max: 2 });
type Move = Readonly<{ kind: Wish['kind']; member: number; age: bigint; luck: number; verdict: 'rejected' | 'unverifiable' }>;
const kinds: readonly Wish['kind'][] = ['renew', 'release', 'block', 'report', 'report', 'judge', 'judge', 'expire', 'revoke'];
const move: fc.Arbitrary<Move> = fc.record({
  kind: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom<Wish['kind']>('claim', 'claim', 'take', 'unblock', 'requeue') },
    { weight: 14, arbitrary: fc.constantFrom(...kinds) },
    { weight: 1, arbitrary: fc.constant<Wish['kind']>('cancel') },
  ),
  member,
  age,
  luck: fc.nat({ max: 9 }),
  verdict: fc.constantFrom('rejected' as const, 'unverifiable' as const),
});
const races = fc.array(fc.array(move, { minLength: 2, maxLength: 6 }), { minLength: 8, maxLength: 14 });

describe('A task for which clients race on two servers', () => {
  let bench: Workbench;
  let urls: readonly string[];
  let otto: Readonly<{ id: string; tenantId: string; workspaceId: string }>;
  const clients = new Map<string, Client>();
  const implementers: string[] = [];
  const verifiers: string[] = [];
  beforeAll(async () => {
    bench = await startWorkbench();
    urls = [bench.url, (await bench.another()).url!];
    const { body } = await bench.cast.otto.get('/api/me');
    otto = { id: body.id, tenantId: body.tenant.id, workspaceId: body.workspaces[0].id };
    clients.set(otto.id, bench.cast.otto);
    const people = [(await bench.cast.ian.get('/api/me')).body.id, (await bench.cast.val.get('/api/me')).body.id];
    for (const [role, list, accountableHuman] of [
      ['implementer', implementers, people[0]],
      ['verifier', verifiers, people[1]],
    ] as const)
      for (let n = 0; n < 3; n++) {
        const capabilities = role === 'implementer' ? ['code'] : [];
        const wish = { kind: 'agent', name: `${role} ${n}`, roles: [role], capabilities, accountableHuman };
        const { body } = await bench.cast.otto.post('/api/credentials', wish);
        const client = new Client(bench.url, body.credential);
        const { id } = (await client.get('/api/me')).body;
        list.push(id);
        clients.set(id, client);
      }
  });
  afterAll(() => bench.stop());

  const send = async (taskId: string, command: object, at = new Date().toISOString()): Promise<Told> => {
    const commandId = newId();
    const meta: CommandMeta = {
      ...otto,
      actor: systemPrincipal(otto.tenantId, otto.workspaceId),
      at,
      commandId,
      requestDigest: '',
      correlationId: commandId,
      causationId: commandId,
    };
    try {
      const { revision } = await bench.server.app.get(CommandBus).execute(new HandleTask(taskId, { ...command, meta } as TaskCommand));
      return { outcome: 'ok', revision: revision.toString() };
    } catch (error) {
      if (error instanceof DomainError) return { outcome: error.refusal.code };
      throw error;
    }
  };
  const queueTask = async (): Promise<string> => {
    const taskId = newId();
    const parties = { decidedBy: otto.id, requester: otto.id, agent: otto.id };
    const digests = { scopeDigest: digestOf(work), actionDigest: 'action', presentedDigest: 'presented' };
    const data = { proposalId: newId(), title: 'Race', queue: 'code', brief: 'Race.', work, ...digests, ...parties, leaseMs: 900_000 };
    await send(taskId, { type: 'QueueTask', data });
    return taskId;
  };
  const eventsOf = async (taskId: string) =>
    (await bench.server.app.get(EventStore).readStream(`task-${taskId}`)).events as Recorded<TaskEvent>[];

  const wishOf = (move: Move, model: Model): Wish => {
    const { kind, age, luck, verdict } = move;
    const fence = model.granted + age > 0n ? model.granted + age : 1n;
    const anyone = (list: readonly string[]) => (luck < 7 && list.includes(model.live?.who ?? '') ? model.live!.who : list[move.member]!);
    switch (kind) {
      case 'claim':
        return { kind, who: implementers[move.member]! };
      case 'take':
        return { kind, who: verifiers[move.member]! };
      case 'unblock':
      case 'requeue':
      case 'cancel':
        return { kind, who: otto.id };
      case 'revoke':
      case 'expire':
        return { kind, who: otto.id, fence };
      case 'judge':
        return { kind, who: anyone(verifiers), fence, verdict };
      default:
        return { kind, who: anyone(implementers), fence };
    }
  };
  const carryOut = async (taskId: string, wish: Wish, at: string, reportDigest: string): Promise<Told> => {
    const client = clients.get(wish.who)!.at(at);
    const lease = 'fence' in wish ? `/api/leases/${taskId}.${wish.fence}` : '';
    const fence = 'fence' in wish ? wish.fence.toString() : '';
    const reason = 'race';
    switch (wish.kind) {
      case 'claim':
        return told(await client.post('/api/leases', { taskId }));
      case 'take':
        return told(await client.post(`/api/verifications/${taskId}/claim`));
      case 'unblock':
        return told(await client.post(`/api/tasks/${taskId}/unblock`, { answer: 'Yes.' }));
      case 'requeue':
      case 'cancel':
        return told(await client.post(`/api/tasks/${taskId}/${wish.kind}`, { reason }));
      case 'revoke':
        return told(await client.post(`${lease}/revoke`, { reason }));
      case 'expire':
        return send(taskId, { type: 'ExpireLease', data: { fence } }, new Date(Date.now() + 86_400_000).toISOString());
      case 'renew':
        return told(await client.post(`${lease}/renew`, { fence }));
      case 'release':
        return told(await client.post(`${lease}/release`, { fence, reason }));
      case 'block':
        return told(await client.post(`/api/tasks/${taskId}/block`, { fence, question: 'Which?' }));
      case 'report': {
        const what = { revision: 'c'.repeat(40), artifacts: [artifact], changedPaths: [], evidence: [], summary: 'Done.' };
        return told(await client.post(`${lease}/report`, { fence, ...what }));
      }
      case 'judge': {
        const findings = [{ code: 'wrong', detail: 'It is wrong.' }];
        const what = { verdict: wish.verdict, findings, evidence: [], changedPaths: [], tree: 'd'.repeat(40) };
        return told(await client.post(`/api/verifications/${taskId}/verdict`, { fence, reportDigest, ...what }));
      }
    }
  };

  it('has one holder at a time, gives each its answer, and takes nothing under a stale fence', async () => {
    const outcomes = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(races, async (all) => {
        const taskId = await queueTask();
        let model = queuedModel;
        let known = await eventsOf(taskId);
        for (const moves of all) {
          const wishes = moves.map((move) => wishOf(move, model));
          const report = known.findLast((event) => event.type === 'WorkReported');
          const digest = report?.data.reportDigest ?? 'e'.repeat(64);
          const answers = await Promise.all(wishes.map((wish, index) => carryOut(taskId, wish, urls[index % urls.length]!, digest)));
          const now = await eventsOf(taskId);
          model = judgeRace<Model, Wish, Recorded<TaskEvent>>({
            before: model,
            wishes,
            answers,
            events: now.slice(known.length),
            predict,
            follow,
            leaves,
            unasked: ({ type }) => type === 'StaleLeaseRejected' || type === 'TaskExhausted' || type === 'LeaseExpired',
          });
          known = now;
          wishes.forEach(({ kind }, index) => {
            const name = `${kind} ${answers[index]!.outcome}`;
            outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
          });
        }
        const { body } = await bench.cast.otto.get(`/api/tasks/${taskId}`);
        expect(body).toMatchObject({ taskId, status: model.status });
      }),
      runs(4),
    );
    // Else the races would have shown nothing. A few runs meet much; only many are sure to meet what is named here.
    expect(outcomes.size).toBeGreaterThan(5);
    if (isLong)
      expect([...outcomes.keys()]).toEqual(
        expect.arrayContaining(['claim ok', 'claim lease/taken', 'report ok', 'take ok', 'renew lease/lost']),
      );
  });
});
