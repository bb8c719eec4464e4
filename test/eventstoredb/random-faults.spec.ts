import { violations } from '#libs/audit';
import { type Recorded } from '#libs/kernel';
import { eventually } from '../support/eventually.js';
import { typesByStream } from '../support/event-log.js';
import { persistentRoundTrip } from '../support/persistent-round-trip.js';
import { createRepository } from '../support/repository.js';
import { startWorkbench, type Workbench } from '../support/workbench.js';
import type { Fate } from './server/node.js';
import { startWireServer, type WireServer } from './server/server.js';
import { describeWithControl } from './target.js';
import { allEvents } from '../support/stored-events.js';

const FAULTS = 30;
const SEED = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);

/** The same numbers for the same seed (mulberry32). */
const randomFrom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
};

/** What one call may meet. */
const FATES: readonly Fate[] = [
  'lose request',
  'lose answer',
  'silence',
  'silence after',
  'twice',
  'no leader',
  'busy',
  'timeout',
  'timeout after',
];
/** What may happen to the servers while calls are under way. */
const EVENTS: readonly ((server: WireServer, random: () => number) => void)[] = [
  ({ node }) => node.endStreams('cancelled'),
  ({ node }) => node.endStreams('shuttingDown'),
  ({ nodes }) => nodes.forEach((node) => node.line.cut()),
  (server, random) => server.elect(Math.floor(random() * 3)),
  (server, random) => {
    server.elect(undefined);
    setTimeout(() => server.elect(Math.floor(random() * 3)), 300);
  },
  ({ nodes }, random) => {
    const node = nodes[Math.floor(random() * 3)]!;
    node.goDown();
    setTimeout(() => void node.comeUp(), 200);
  },
  ({ nodes }) => {
    for (const { line } of nodes) line.freeze();
    setTimeout(() => nodes.forEach(({ line }) => line.thaw()), 700);
  },
  ({ nodes }, random) => nodes.forEach(({ line }) => line.delay(Math.floor(random() * 30))),
];

/** Lets `count` faults happen, each at a random one of the calls that follow the one before; answers how many have. */
const plague = (server: WireServer, random: () => number, count: number): (() => number) => {
  let happened = 0;
  let next = 20;
  const judge = (): Fate => {
    if (happened === count || --next > 0) return 'pass';
    happened++;
    next = 3 + Math.floor(random() * 25);
    const which = Math.floor(random() * (FATES.length + EVENTS.length));
    if (which < FATES.length) return FATES[which]!;
    EVENTS[which - FATES.length]!(server, random);
    return 'pass';
  };
  for (const node of server.nodes) node.judge(judge);
  return () => happened;
};

describeWithControl(`The round trip with ${FAULTS} random faults of EventStoreDB (FAULT_SEED=${SEED})`, () => {
  let server: WireServer;
  let bench: Workbench;
  beforeAll(async () => {
    server = await startWireServer({ nodes: 3 });
    bench = await startWorkbench({ eventStoreUrl: `${server.url}&defaultDeadline=500&keepAliveInterval=10000` });
  });
  afterAll(async () => {
    await bench.stop();
    await server.stop();
  });

  it('loses nothing and does nothing twice', async () => {
    const happened = plague(server, randomFrom(SEED), FAULTS);
    const finished: { taskId: string; proposalIds: string[] }[] = [];
    const worker = async (index: number): Promise<void> => {
      for (let round = 0; happened() < FAULTS || round === 0; round++) {
        const repository = createRepository();
        finished.push(await persistentRoundTrip(bench.cast, repository, `trip ${index}.${round}`));
        repository.remove();
      }
    };
    await Promise.all([worker(0), worker(1)]);

    const events = await eventually(() => allEvents(bench.server.app));
    const streams = typesByStream(events);
    for (const { taskId, proposalIds } of finished) {
      for (const id of proposalIds)
        expect(streams.get(`proposal-${id}`)).toEqual(['ProposalSubmitted', 'ConfirmationApproved', 'MutationCommitted']);
      expect(streams.get(`task-${taskId}`)).toEqual([
        'TaskQueued',
        'LeaseGranted',
        'WorkReported',
        'VerificationGranted',
        'WorkVerified',
        'WorkShipped',
        'ReceiptIssued',
      ]);
    }
    expect([...streams.keys()].filter((stream) => stream.startsWith('task-'))).toHaveLength(finished.length);
    expect([...streams.keys()].filter((stream) => stream.startsWith('proposal-'))).toHaveLength(2 * finished.length);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    expect(violations(events)).toEqual([]);
    await readModelsShow(events, finished);
  }, 300_000);

  /** Nothing lost on the way to the read models either, and nothing announced twice. */
  const readModelsShow = async (events: readonly Recorded[], finished: readonly { taskId: string }[]): Promise<void> => {
    const { otto } = bench.cast;
    const position = events.at(-1)!.position;
    for (const { taskId } of finished) {
      const { status, body } = await eventually(async () => {
        const answer = await otto.get(`/api/tasks/${taskId}?waitFor=${position}`);
        return answer.status < 500 && answer;
      });
      expect([status, body.status]).toEqual([200, 'shipped']);
    }
    const tasks = (await otto.get('/api/tasks?limit=200')).body.items as { taskId: string }[];
    expect(tasks.map(({ taskId }) => taskId).sort()).toEqual(finished.map(({ taskId }) => taskId).sort());
  };
});
