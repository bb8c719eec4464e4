import type { Provider, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { derivedId, EventStore, EventTypes, handleCommand, type Principal } from '#libs/kernel';
import { metaOf } from '#libs/kernel/testing';
import { EventStoreModule } from '#libs/event-store';
import { createHttpApp, ReadPositions } from '#libs/http';
import { Clock, PostgresModule, type Database } from '#libs/postgres';
import { Positions, ProjectionsModule } from '#libs/projections';
import { Client } from '../../../../test/support/client.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { parseBearer } from '../authentication/bearer.js';
import { bootstrap } from '../bootstrap.js';
import { credentialDecider } from '../credentials/credential.decider.js';
import { bearerOf, prepareIssue, type CredentialWish } from '../credentials/issue.js';
import { identityEvents } from '../identity-events.js';
import { IdentityModule } from '../identity.module.js';
import { identityProjections } from '../read-models/index.js';
import { IdentityDirectory } from '../identity-directory.js';

/** A server of identity alone, on a database of its own or on that of another one. */
export type IdentityServer = Readonly<{
  url: string;
  app: NestFastifyApplication;
  test: TestDatabase;
  database: Database;
  store: EventStore;
  clock: Clock;
  directory: IdentityDirectory;
  get<T>(token: Type<T> | (abstract new (...args: never[]) => T)): T;
  /** Bootstrapped credentials by first name: `mia`, `ann`, `ben`, `otto`, `ian`, `val`, `eve`, `ida`, `vera`. */
  bearers: Readonly<Record<string, string>>;
  as(name: string): Client;
  anyone: Client;
  principal(name: string): Promise<Principal>;
  /** Issues beside the routes, in the name of Otto; `at` may lie in the past. */
  issue(wish: Partial<CredentialWish>, at?: string): Promise<string>;
  close(): Promise<void>;
}>;

export async function startIdentity(
  options: Readonly<{ test?: TestDatabase; controllers?: Type[]; providers?: Provider[] }> = {},
): Promise<IdentityServer> {
  const test = options.test ?? (await createTestDatabase({ entities: identityProjections.map(({ table }) => table as Type<object>) }));
  const { database } = test;
  const app = await createHttpApp(
    [
      PostgresModule.forRoot({ database }),
      EventStoreModule.forRoot(new EventTypes(identityEvents)),
      ProjectionsModule.forRoot({ projections: identityProjections, run: options.test === undefined }),
      IdentityModule,
      {
        module: class Extra {},
        global: true,
        controllers: options.controllers ?? [],
        providers: [{ provide: ReadPositions, useExisting: Positions }, ...(options.providers ?? [])],
        exports: [ReadPositions],
      },
    ],
    { requestsPerMinute: 0 },
    false,
  );
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const store = app.get(EventStore);
  const clock = app.get(Clock);
  const ready = await bootstrap(store, database, clock, 'demo');
  const bearers = Object.fromEntries(ready.map(({ name, credential }) => [name.split(' ')[0]!.toLowerCase(), credential]));
  const directory = app.get(IdentityDirectory);
  const principal = async (name: string) => (await directory.principalOf(parseBearer(bearers[name]!)!.credentialId)).principal;

  return {
    url,
    app,
    test,
    database,
    store,
    clock,
    directory,
    bearers,
    principal,
    get: (token) => app.get(token),
    as: (name) => new Client(url, bearers[name]),
    anyone: new Client(url, undefined),
    async issue(wish, at = clock.now()) {
      const otto = await principal('otto');
      const meta = metaOf(otto, { workspaceId: otto.workspaceIds[0]!, at, commandId: derivedId('test-issue', at, JSON.stringify(wish)) });
      const { id } = await principal('mia');
      const whole = {
        kind: 'agent',
        name: 'Extra',
        roles: ['implementer'],
        capabilities: [],
        workspaceIds: otto.workspaceIds,
        expiresAt: new Date(Date.parse(at) + 60_000).toISOString(),
        ...(wish.kind !== 'human' && { accountableHuman: id }),
        ...wish,
      } as const;
      const prepared = await prepareIssue(store, whole, meta);
      return bearerOf(prepared, await handleCommand(store, credentialDecider, prepared.id, prepared.command))!;
    },
    async close() {
      await app.close();
      if (!options.test) await test.drop();
    },
  };
}
