import type { Type } from '@nestjs/common';
import { CommandBus, CqrsModule } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { EventStoreModule } from '#libs/event-store';
import { createHttpApp, ReadPositions } from '#libs/http';
import { bootstrap, identityEvents, IdentityModule, identityProjections } from '#libs/identity';
import { EventStore, EventTypes, streamName, type Recorded } from '#libs/kernel';
import { Clock, PostgresModule } from '#libs/postgres';
import { Positions, ProjectionsModule } from '#libs/projections';
import { Client, type Answer } from '../../../../test/support/client.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { permissionEvents } from '../permission-events.js';
import { PermissionSettings } from '../permission-settings.js';
import { permissionDeadlineSources, permissionProjections, permissionReactors, PermissionsModule } from '../permissions.module.js';
import type { CallJudgement } from '../requests/call-judgement.js';
import type { GateAnswer } from '../requests/gate-answer.js';
import type { PermissionEvent } from '../requests/permission.js';
import { permissionIdOf } from '../requests/request-id.js';
import { plainJudgement } from './plain-judgement.js';

/** A server of identity and permissions, on a database of its own or on that of another one. */
export type PermissionServer = Readonly<{
  url: string;
  app: NestFastifyApplication;
  test: TestDatabase;
  store: EventStore;
  /** One of the bootstrapped cast by first name: Eve belongs to Mia, Ida to Ian. */
  as(name: string): Client;
  idOf(name: string): Promise<string>;
  bearerOf(name: string): string;
  /** Eve asks for a command; `over` are further members of the body. */
  ask(
    command: string,
    over?: object,
    who?: string,
  ): Promise<Answer<GateAnswer & Readonly<{ requestId: string; grants: readonly string[]; status: number }>>>;
  events(requestId: string): Promise<Recorded<PermissionEvent>[]>;
  close(): Promise<void>;
}>;

export async function startPermissions(
  options: Readonly<{ test?: TestDatabase; run?: boolean; settings?: PermissionSettings; judgement?: CallJudgement }> = {},
): Promise<PermissionServer> {
  const { run = options.test === undefined } = options;
  const projections = [...identityProjections, ...permissionProjections];
  const test = options.test ?? (await createTestDatabase({ entities: projections.map(({ table }) => table as Type<object>) }));
  const app = await createHttpApp(
    [
      CqrsModule.forRoot(),
      PostgresModule.forRoot({ database: test.database }),
      EventStoreModule.forRoot(new EventTypes(identityEvents, permissionEvents)),
      ProjectionsModule.forRoot({
        projections,
        reactors: (resolve) => permissionReactors(resolve(CommandBus), resolve(PermissionSettings)),
        deadlines: (resolve) => permissionDeadlineSources(resolve(CommandBus)),
        run,
      }),
      IdentityModule,
      PermissionsModule.forRoot(options.settings, options.judgement ?? plainJudgement),
      {
        module: class Extra {},
        global: true,
        providers: [{ provide: ReadPositions, useExisting: Positions }],
        exports: [ReadPositions],
      },
    ],
    { requestsPerMinute: 0 },
    false,
  );
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const store = app.get(EventStore);
  const ready = await bootstrap(store, test.database, app.get(Clock), 'demo');
  const bearers = new Map(ready.map(({ name, credential }) => [name.split(' ')[0]!.toLowerCase(), credential]));
  const as = (name: string) => new Client(url, bearers.get(name));
  let tenantId: string | undefined;

  return {
    url,
    app,
    test,
    store,
    as,
    bearerOf: (name) => bearers.get(name)!,
    idOf: async (name) => (await as(name).get<{ id: string }>('/api/me')).body.id,
    ask: (command, over = {}, who = 'eve') =>
      as(who).post('/api/hooks/classify', { toolName: 'bash', toolInput: { command }, agentId: 'agent_123', ...over }),
    async events(requestId) {
      tenantId ??= (await as('mia').get<{ tenant: { id: string } }>('/api/me')).body.tenant.id;
      return (await store.readStream<PermissionEvent>(streamName('permission', permissionIdOf(tenantId, requestId)!))).events;
    },
    async close() {
      await app.close();
      if (!options.test) await test.drop();
    },
  };
}
