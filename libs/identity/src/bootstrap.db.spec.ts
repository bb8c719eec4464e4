import { EventTypes, InMemoryEventStore, streamName } from '#libs/kernel';
import { Clock } from '#libs/postgres';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { parseBearer } from './authentication/bearer.js';
import { bootstrap } from './bootstrap.js';
import { identityEvents } from './identity-events.js';

describe('A first start', () => {
  let test: TestDatabase;
  let clock: Clock;
  beforeAll(async () => {
    test = await createTestDatabase();
    clock = new Clock(test.database.projector);
    await clock.start();
  });
  afterAll(async () => {
    clock.stop();
    await test.drop();
  });
  const emptyStore = () => new InMemoryEventStore(new EventTypes(identityEvents));
  const log = async (store: InMemoryEventStore) => (await store.readAll(undefined, 1000)).events;

  it('has a tenant, a workspace, and a credential a role', async () => {
    const store = emptyStore();
    const ready = await bootstrap(store, test.database, clock, 'demo');
    expect(new Set(ready.map(({ role }) => role))).toEqual(new Set(['eve', 'approver', 'operator', 'member', 'implementer', 'verifier']));
    expect(ready.filter(({ role }) => role === 'approver')).toHaveLength(2);
    for (const { credential } of ready) expect(parseBearer(credential)).toBeDefined();
    expect(new Set((await log(store)).map(({ meta }) => meta.tenantId)).size).toBe(1);
  });

  it('gives agents and services a human who answers for them', async () => {
    const store = emptyStore();
    await bootstrap(store, test.database, clock, 'demo');
    const issued = (await log(store)).filter(({ type }) => type === 'CredentialIssued').map(({ data }) => data as Record<string, unknown>);
    const named = (name: string) => issued.find((data) => data['name'] === name)!;
    expect(named('Eve')['accountableHuman']).toBe(named('Mia Member')['principalId']);
    expect(named('Ida Implementer')['accountableHuman']).toBe(named('Ian Member')['principalId']);
    expect(named('Vera Verifier')).toMatchObject({
      accountableHuman: named('Val Member')['principalId'],
      principalKind: 'service',
      capabilities: ['verification-worker'],
    });
  });

  it('shows the same credentials again, and writes nothing', async () => {
    const store = emptyStore();
    const [first, second] = [await bootstrap(store, test.database, clock, 'demo'), await bootstrap(store, test.database, clock, 'demo')];
    expect(second).toEqual(first);
    expect(await log(store)).toHaveLength(11);
  });

  it('may happen on two servers at once', async () => {
    const store = emptyStore();
    const both = await Promise.all([bootstrap(store, test.database, clock, 'demo'), bootstrap(store, test.database, clock, 'demo')]);
    expect(both[0]).toEqual(both[1]);
    expect(await log(store)).toHaveLength(11);
  });

  it('keeps the secrets out of the events', async () => {
    const store = emptyStore();
    const ready = await bootstrap(store, test.database, clock, 'demo');
    const text = JSON.stringify(await log(store), (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
    for (const { credential } of ready) expect(text).not.toContain(credential.slice(-43));
  });

  it('shows a revoked credential no more', async () => {
    const store = emptyStore();
    const [first] = await bootstrap(store, test.database, clock, 'demo');
    const { credentialId } = parseBearer(first!.credential)!;
    const stream = streamName('credential', credentialId);
    const { events, revision } = await store.readStream(stream);
    const { contentHash: _, schemaVersion: __, ...meta } = events[0]!.meta;
    const data = { by: 'otto', reason: 'seen by too many', at: clock.now() };
    await store.append(stream, [{ id: credentialId, type: 'CredentialRevoked', data, meta: { ...meta, commandId: 'revoke' } }], revision);
    const ready = await bootstrap(store, test.database, clock, 'demo');
    expect(ready).toHaveLength(8);
    expect(ready).not.toContainEqual(first);
  });

  it('may be of the operator alone, or of nobody', async () => {
    const store = emptyStore();
    expect(await bootstrap(store, test.database, clock, 'none')).toEqual([]);
    expect(await log(store)).toEqual([]);
    expect(await bootstrap(store, test.database, clock, 'operator')).toMatchObject([{ role: 'operator', name: 'Otto Operator' }]);
    expect(await bootstrap(store, test.database, clock, 'demo')).toHaveLength(9);
  });

  it('issues other credentials where the database is another one than the first time', async () => {
    const store = emptyStore();
    const first = await bootstrap(store, test.database, clock, 'demo');
    const other = await createTestDatabase();
    const second = await bootstrap(store, other.database, clock, 'demo');
    expect(second).toHaveLength(first.length);
    expect(second.map(({ credential }) => credential)).not.toContain(first[0]!.credential);
    await other.drop();
  });
});
