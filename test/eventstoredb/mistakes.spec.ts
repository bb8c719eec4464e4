import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openEventStoreDB } from '#libs/event-store';
import { NO_STREAM, newId } from '#libs/kernel';
import { contractTypes, noted } from '#libs/kernel/testing';
import { createSite } from '../support/processes.js';
import { createCertificate, type Certificate } from './server/certificate.js';
import { startWireServer, type WireServer } from './server/server.js';
import { describeWithControl } from './target.js';

describeWithControl('A connection to EventStoreDB', () => {
  const certificates: Certificate[] = [];
  const servers: Record<string, WireServer> = {};
  const start = async (name: string, options: Parameters<typeof startWireServer>[0]) => (servers[name] = await startWireServer(options));
  const port = (name: string) => servers[name]!.node.port;
  const users = { worker: 'p@ss:/?%wörd' };
  beforeAll(async () => {
    const [own, other] = [createCertificate(), createCertificate(['db.example.test'], ['10.0.0.1'])];
    certificates.push(own, other);
    await start('plain', {});
    await start('secure', { tls: own, users });
    await start('misnamed', { tls: other });
    await start('cluster', { nodes: 3 });
    await start('secure cluster', { tls: own, users, nodes: 3 });
  });
  afterAll(async () => {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
    for (const certificate of certificates) certificate.remove();
  });
  const ca = (index = 0) => `tlsCAFile=${encodeURIComponent(certificates[index]!.file)}`;
  const user = (name: string, password: string) => `${encodeURIComponent(name)}:${encodeURIComponent(password)}@`;
  const right = user('worker', users.worker);
  const open = (url: string) => openEventStoreDB(url, contractTypes, { patience: 700, attempt: 500 });

  it.each<[string, () => string]>([
    ['without TLS', () => servers['plain']!.url],
    ['with TLS, user and password', () => `esdb://${right}localhost:${port('secure')}?${ca()}`],
    ['to a cluster', () => servers['cluster']!.url],
    ['to a cluster with TLS, user and password', () => servers['secure cluster']!.url],
    ['to a cluster through one of its names', () => `esdb+discover://127.0.0.1:${port('cluster')}?tls=false`],
  ])('works %s', async (_, url) => {
    const store = await open(url());
    expect(await store.append(`note-${newId()}`, [noted('a')], NO_STREAM)).toMatchObject({ revision: 0n });
    await store.close();
  });

  it.each<[string, () => string, RegExp]>([
    ['asks a plain server for TLS', () => `esdb://localhost:${port('plain')}`, /speaks without TLS.*Add \?tls=false/],
    ['asks a TLS server for none', () => `esdb://localhost:${port('secure')}?tls=false`, /closes connections at once.*leave tls=false out/],
    ['does not know the authority', () => `esdb://${right}localhost:${port('secure')}`, /not known here\. Add \?tlsCAFile=/],
    ['knows another authority', () => `esdb://${right}localhost:${port('secure')}?${ca(1)}`, /not known here\. Add \?tlsCAFile=/],
    ['uses another name', () => `esdb://localhost:${port('misnamed')}?${ca(1)}`, /for another name.*localhost.*db\.example\.test/],
    ['has no user', () => `esdb://localhost:${port('secure')}?${ca()}`, /asks for a user\. Write esdb:\/\/user:password@host/],
    [
      'has a wrong password',
      () => `esdb://${user('worker', 'wrong')}localhost:${port('secure')}?${ca()}`,
      /does not accept the password of "worker"/,
    ],
    ['has a user that is not there', () => `esdb://${user('nobody', 'x')}localhost:${port('secure')}?${ca()}`, /password of "nobody"/],
    ['leads to no server', () => 'esdb://127.0.0.1:1?tls=false', /Nothing answers at 127\.0\.0\.1:1\. Check that EventStoreDB runs there/],
    ['leads to no host', () => 'esdb://nowhere.invalid?tls=false', /no host of the name nowhere\.invalid/],
    [
      'asks a plain cluster for TLS',
      () => servers['cluster']!.url.replace('?tls=false', '?maxDiscoverAttempts=1'),
      /speaks without TLS.*Add \?tls=false/,
    ],
    [
      'has no password for a cluster',
      () => `${servers['secure cluster']!.url.replace(/\/\/.*@/, '//')}&maxDiscoverAttempts=1`,
      /asks for a user/,
    ],
    ['leads to no cluster', () => 'esdb://127.0.0.1:1,127.0.0.1:2?tls=false&maxDiscoverAttempts=1', /Nothing answers at 127\.0\.0\.1:1/],
  ])('that %s says what to change', async (_, url, message) => {
    const refused: unknown = await open(url()).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Error);
    expect((refused as Error).message).toMatch(message);
    expect((refused as Error).message).toMatch(/^EVENTSTORE_URL: /);
    expect((refused as Error).message).not.toContain(users.worker);
  });

  it.each<[string, () => string, RegExp]>([
    ['without TLS', () => `esdb://localhost:${port('plain')}`, /speaks without TLS.*Add \?tls=false/],
    ['by a wrong password', () => `esdb://${user('worker', 'wrong')}localhost:${port('secure')}?${ca()}`, /password of "worker"/],
    ['by another scheme', () => 'http://localhost:2113', /write esdb:\/\/host:2113/],
  ])('that a server is started with and that is refused %s ends it with that one sentence', async (_, url, message) => {
    const site = await createSite({ EVENTSTORE_URL: url() });
    const refused: unknown = await site.start().catch((error: unknown) => error);
    await site.remove();
    expect((refused as Error).message).toMatch(message);
    expect((refused as Error).message).not.toMatch(/^ +at |wörd/m);
  });

  it('waits for a server that comes up later, and says what for', async () => {
    const server = await start('late', {});
    server.node.goDown();
    const told: string[] = [];
    const report = (message: string) => {
      told.push(message);
      void server.node.comeUp();
    };
    const store = await openEventStoreDB(server.url, contractTypes, { patience: 300, startWithin: 30_000, report });
    expect(told).toEqual([expect.stringMatching(/^EVENTSTORE_URL: .* closes connections at once/)]);
    await store.close();
  });

  it('that leads to another kind of server says so', async () => {
    const web = createServer((_, answer) => answer.end('hello'));
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    const { port: there } = web.address() as AddressInfo;
    await expect(open(`esdb://127.0.0.1:${there}?tls=false`)).rejects.toThrow(/speaks no gRPC. Check the port/);
    web.close();
  });

  it('to a cluster without a leader says so', async () => {
    const { elect, url } = servers['cluster']!;
    elect(undefined);
    await expect(open(url)).rejects.toThrow(/No leader|leader/i);
    elect(0);
  });

  it('whose password is changed while it works answers 503, and says in its cause what to change', async () => {
    const passwords = { ann: 'old' };
    const server = await start('changing', { tls: certificates[0]!, users: passwords });
    const store = await open(server.url.replace('127.0.0.1', 'localhost'));
    passwords.ann = 'new';
    await expect(store.readAll(undefined, 1)).rejects.toMatchObject({
      refusal: { code: 'event-store/unavailable' },
      cause: { message: expect.stringMatching(/does not accept the password of "ann"/) },
    });
    await store.close();
  });
});
