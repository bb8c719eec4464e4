import { readEventLog, typesByStream } from '../support/event-log.js';
import { persistentRoundTrip } from '../support/persistent-round-trip.js';
import { createSite, type Site } from '../support/processes.js';
import { createRepository, type Repository } from '../support/repository.js';

const API = { WORKBENCH_ROLES: 'api' };
const WORKER = { WORKBENCH_ROLES: 'worker' };
const COMPLETE = ['TaskQueued', 'LeaseGranted', 'WorkReported', 'VerificationGranted', 'WorkVerified', 'WorkShipped', 'ReceiptIssued'];

// Several processes start and stop in each test.
jest.setTimeout(240_000);

describe('Processes apart', () => {
  let site: Site;
  const repositories: Repository[] = [];
  beforeEach(async () => {
    site = await createSite();
  });
  afterEach(async () => {
    await site.remove();
    for (const repository of repositories.splice(0)) repository.remove();
  });
  const trip = (...[cast, name]: [Parameters<typeof persistentRoundTrip>[0], string]) => {
    const repository = createRepository();
    repositories.push(repository);
    return persistentRoundTrip(cast, repository, name);
  };

  it('a server and a worker make the round trip together', async () => {
    const [server] = await Promise.all([site.start(API), site.start(WORKER)]);
    const { taskId } = await trip(site.cast(server), 'apart');
    expect(typesByStream(await readEventLog(site)).get(`task-${taskId}`)).toEqual(COMPLETE);
  });

  it('two servers and two workers give the same results, whoever is asked, and a worker that dies is replaced', async () => {
    const first = await site.start(API);
    const [second, doomed] = await Promise.all([site.start(API), site.start(WORKER), site.start(WORKER)]);
    const [at, other] = [site.cast(first), site.cast(second)];
    // Each person and agent speaks to another server than the one before them in the chain.
    const mixed = { ...at, ann: other.ann, vera: other.vera, mia: other.mia };
    const before = await Promise.all([trip(mixed, 'one'), trip({ ...other, ann: at.ann, vera: at.vera }, 'two')]);
    await doomed.kill('SIGKILL');
    const after = await trip(mixed, 'three');
    const streams = typesByStream(await readEventLog(site));
    for (const { taskId } of [...before, after]) expect(streams.get(`task-${taskId}`)).toEqual(COMPLETE);
  });

  it('a server that is told to stop ends its streams with an event, loses nothing, and starts again', async () => {
    const server = await site.start();
    const { credential } = site.cast(server).ann;
    const response = await fetch(`${server.url}/api/events/stream`, { headers: { authorization: `Bearer ${credential}` } });
    const stream = response.body!.pipeThrough(new TextDecoderStream());
    let text = '';
    let stopped: Promise<void> | undefined;
    for await (const chunk of stream) {
      text += chunk;
      if (text.includes('event: ready')) stopped ??= server.kill('SIGTERM');
    }
    await stopped;
    expect(text).toMatch(/event: stream_end/);
    expect(server.child.exitCode).toBe(0);
    const again = await site.start();
    expect((await site.cast(again).mia.get('/api/me')).status).toBe(200);
  });
});
