import type { Type } from '@nestjs/common';
import { CommandBus, CqrsModule } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { EventStoreModule } from '#libs/event-store';
import { createHttpApp, ReadPositions } from '#libs/http';
import { bootstrap, identityEvents, IdentityModule, identityProjections } from '#libs/identity';
import { EventStore, EventTypes } from '#libs/kernel';
import { Clock, PostgresModule } from '#libs/postgres';
import { Positions, ProjectionsModule } from '#libs/projections';
import { Client } from '../../../../test/support/client.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { sessionEvents } from '../event-types.js';
import { STANDING_GRANTS, type StandingGrants } from '../grants/standing-grants.js';
import { SessionControl } from '../session-control.js';
import { sessionDeadlineSources, sessionProjections, sessionReactors, SessionsModule } from '../sessions.module.js';

/** A server of identity and sessions, on a database of its own or on that of another one. */
export type SessionsServer = Readonly<{
  app: NestFastifyApplication;
  test: TestDatabase;
  store: EventStore;
  url: string;
  /** One of the bootstrapped cast by first name; of a database that another server bootstrapped there is none. */
  as(name: string): Client;
  close(): Promise<void>;
}>;

/** `run`: whether it works as well, that is projects and keeps deadlines. */
export async function startSessions(
  options: Readonly<{ test?: TestDatabase; run?: boolean; standing?: StandingGrants }> = {},
): Promise<SessionsServer> {
  const projections = [...identityProjections, ...sessionProjections];
  const test = options.test ?? (await createTestDatabase({ entities: projections.map(({ table }) => table as Type<object>) }));
  const app = await createHttpApp(
    [
      CqrsModule.forRoot(),
      PostgresModule.forRoot({ database: test.database }),
      EventStoreModule.forRoot(new EventTypes(identityEvents, sessionEvents)),
      ProjectionsModule.forRoot({
        projections,
        reactors: (resolve) => sessionReactors(resolve(SessionControl)),
        deadlines: (resolve) => sessionDeadlineSources(resolve(CommandBus)),
        run: options.run ?? true,
      }),
      IdentityModule,
      SessionsModule.forRoot(),
      {
        module: class Extra {},
        global: true,
        providers: [
          { provide: ReadPositions, useExisting: Positions },
          { provide: STANDING_GRANTS, useValue: options.standing },
        ],
        exports: [ReadPositions, STANDING_GRANTS],
      },
    ],
    { requestsPerMinute: 0 },
    false,
  );
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const store = app.get(EventStore);
  const ready = options.test ? [] : await bootstrap(store, test.database, app.get(Clock), 'demo');
  const cast = new Map(ready.map(({ name, credential }) => [name.split(' ')[0]!.toLowerCase(), new Client(url, credential)]));
  return {
    app,
    test,
    store,
    url,
    as: (name) => cast.get(name)!,
    async close() {
      await app.close();
      if (!options.test) await test.drop();
    },
  };
}
