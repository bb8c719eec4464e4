import { startSample } from '../../../../test/support/sample-app.js';

const ID = '0196b5a0-0000-7000-8000-000000000001';

// Sockets and servers on a busy machine: the conditions are what is tested, not the time.
jest.setTimeout(30_000);

describe('A limit of requests', () => {
  it('holds per credential, spares the probes, and says when to come again', async () => {
    const { app, url } = await startSample({ requestsPerMinute: 3, uncounted: ['/api/things'] });
    const as = (credential?: string, path = `/api/things/${ID}`) =>
      fetch(url + path, { headers: credential ? { authorization: credential } : {} });
    for (let i = 0; i < 3; i++) expect((await as('Bearer ann')).status).toBe(200);
    const limited = await as('Bearer ann');
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await limited.json()).toMatchObject({ code: 'request/too-many' });
    expect((await as('Bearer ben')).status).toBe(200);
    expect((await as()).status).toBe(200);
    for (let i = 0; i < 5; i++) expect((await as('Bearer ann', '/api/things')).status).toBe(200);
    // Guessing credentials opens no new counts without end.
    const guesses: number[] = [];
    for (let i = 0; i < 40; i++) guesses.push((await as(`Bearer guess-${i}`)).status);
    expect(guesses).toContain(429);
    // What no route serves is counted as well.
    expect((await as('Bearer ann', '/nothing')).status).toBe(429);
    await app.close();
  });
});
