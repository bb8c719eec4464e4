import { held, startSample } from '../../../../test/support/sample-app.js';
import { eventually } from '../../../../test/support/eventually.js';
import { Admission, CAPACITY } from './admission.js';
import { standAside } from './place.js';

jest.setTimeout(30_000);

const THING = '/api/things/0196b5a0-0000-7000-8000-000000000001';
const capacity = (atOnce: number, waiting: number, more: Partial<typeof CAPACITY> = {}) => ({
  ...CAPACITY,
  ...more,
  lanes: { command: { atOnce, waiting }, read: { atOnce, waiting }, stream: { atOnce: 1, waiting: 10 } },
});
const letGo = () => held.splice(0).forEach((go) => go());

const post = (url: string, signal?: AbortSignal) =>
  fetch(`${url}/api/things`, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' }, ...(signal && { signal }) });
const hold = (url: string) => fetch(`${url}/api/hold`, { method: 'POST' });
const commandsOf = (admission: Admission) => admission.lanes().find(({ lane }) => lane === 'command')!;

describe('A server at the limit of what it can do', () => {
  afterEach(letGo);

  it('lets so many wait in order, turns the rest away at once with Retry-After, and works again afterwards', async () => {
    const { app, url } = await startSample({ capacity: capacity(2, 3) });
    const admission = app.get(Admission);
    const slow = [hold(url), hold(url)];
    await eventually(() => held.length === 2);
    const waiting = Array.from({ length: 3 }, () => post(url));
    await eventually(() => commandsOf(admission).waiting === 3);

    const refused = await post(url);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ code: 'server/busy' });
    // Reads have room of their own.
    expect((await fetch(url + THING)).status).toBe(200);

    letGo();
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([422, 422, 422]);
    await eventually(() => commandsOf(admission).active === 0);
    expect(commandsOf(admission)).toMatchObject({ waiting: 0, mostWaiting: 3 });
    expect(admission.refusals()).toEqual([{ lane: 'command', why: 'full', count: 1 }]);
    expect((await post(url)).status).toBe(422);
    await app.close();
  });

  it('lets nobody wait for a place longer than it says, and forgets who went away', async () => {
    const { app, url } = await startSample({ capacity: capacity(1, 5, { waitMs: 1_000 }) });
    const admission = app.get(Admission);
    const first = hold(url);
    await eventually(() => held.length === 1);
    const gone = new AbortController();
    const left = post(url, gone.signal).catch(() => 'gone');
    await eventually(() => commandsOf(admission).waiting === 1);
    gone.abort();
    expect(await left).toBe('gone');
    await eventually(() => commandsOf(admission).waiting === 0);
    expect((await post(url)).status).toBe(503);
    expect(admission.refusals()).toEqual([{ lane: 'command', why: 'late', count: 1 }]);
    letGo();
    expect((await first).status).toBe(200);
    await app.close();
  });

  it('turns all but a few away while too many queries wait for a connection, and answers probes nevertheless', async () => {
    const { app, url } = await startSample({ capacity: capacity(8, 8), uncounted: [THING] });
    app.get(Admission).watchQueries(() => 10_000);
    expect((await post(url)).status).toBe(422);
    const slow = hold(url);
    await eventually(() => held.length === 1);
    expect((await post(url)).status).toBe(503);
    expect((await fetch(url + THING)).status).toBe(200);
    letGo();
    await slow;
    await app.close();
  });
});

describe('Whoever waits for others', () => {
  it('waits at once outside of a request', async () => expect(await standAside(() => Promise.resolve('done'))).toBe('done'));
});
