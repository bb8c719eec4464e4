import { createServer } from 'node:net';
import { violations } from '#libs/audit';
import { readEventLog, typesByStream } from '../support/event-log.js';
import { persistentRoundTrip } from '../support/persistent-round-trip.js';
import { createSite, type ServerProcess, type Site } from '../support/processes.js';
import { createRepository, type Repository } from '../support/repository.js';

const KILLS = 30;
const SEED = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);

/** The same numbers for the same seed (mulberry32). */
const randomFrom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
};

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

describe(`A server killed ${KILLS} times at random points of the round trip (FAULT_SEED=${SEED})`, () => {
  let site: Site;
  const repositories: Repository[] = [];
  beforeAll(async () => {
    site = await createSite({ PORT: String(await freePort()) });
  });
  afterAll(async () => {
    await site.remove();
    for (const repository of repositories) repository.remove();
  });

  it('goes on, and does everything once', async () => {
    const random = randomFrom(SEED);
    let server: ServerProcess = await site.start();
    const cast = site.cast(server);
    let killing = true;
    const finished: { taskId: string; proposalIds: string[] }[] = [];
    const worker = async (index: number): Promise<void> => {
      for (let round = 0; killing || round === 0; round++) {
        const repository = createRepository();
        repositories.push(repository);
        finished.push(await persistentRoundTrip(cast, repository, `trip ${index}.${round}`));
      }
    };
    const trips = Promise.all([worker(0), worker(1)]);
    let failed: unknown;
    trips.catch((error: unknown) => (failed = error));
    for (let kill = 0; kill < KILLS && failed === undefined; kill++) {
      await new Promise((resolve) => setTimeout(resolve, 20 + random() * 500));
      await server.kill('SIGKILL');
      server = await site.start();
    }
    killing = false;
    await trips;

    const events = await readEventLog(site);
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
    expect([...streams.values()].flat()).not.toContain('MutationFailed');
    const records = [...streams].filter(([stream]) => stream.startsWith('record-')).map(([, types]) => types);
    expect(new Set(records.map((types) => types.join()))).toEqual(new Set(['RecordCreated,RecordChanged']));
    expect(violations(events)).toEqual([]);
  }, 600_000);
});
