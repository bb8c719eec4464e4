import type { Type } from '@nestjs/common';
import { CommandBus, CqrsModule } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { EventStoreModule } from '#libs/event-store';
import { createHttpApp, ReadPositions } from '#libs/http';
import { bootstrap, identityEvents, IdentityModule, identityProjections } from '#libs/identity';
import { derivedId, digestOf, EventStore, EventTypes, newId, streamName, systemPrincipal, type Recorded } from '#libs/kernel';
import { Clock, PostgresModule } from '#libs/postgres';
import { Positions, ProjectionsModule } from '#libs/projections';
import { startChosenStore } from '../../../../test/support/chosen-store.js';
import { Client } from '../../../../test/support/client.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { HandleTask } from '../task.handler.js';
import { taskEvents, type TaskEvent } from '../task-events.js';
import { WorkModule, workDeadlines, workProjections } from '../work.module.js';
import { type WorkSettings } from '../work-settings.js';
import { work } from './tasks.js';

export type QueueOver = Partial<
  Readonly<{ queue: string; title: string; work: typeof work; requester: string; leaseMs: number; workspaceId: string }>
>;

/** A server of identity and work, on a database of its own or on that of another one. */
export type WorkServer = Readonly<{
  url: string;
  app: NestFastifyApplication;
  test: TestDatabase;
  store: EventStore;
  /** One of the bootstrapped cast by first name. */
  as(name: string): Client;
  idOf(name: string): Promise<string>;
  /** A fresh credential, issued by Otto; agents are accountable to Ian unless `over` says otherwise. */
  agent(over?: object): Promise<Client>;
  /** Queues a task as an approved proposal would, and waits until it is offered where this server projects. */
  queue(over?: QueueOver): Promise<string>;
  events(taskId: string): Promise<Recorded<TaskEvent>[]>;
  close(): Promise<void>;
}>;

export async function startWork(
  options: Readonly<{ test?: TestDatabase; run?: boolean; settings?: WorkSettings }> = {},
): Promise<WorkServer> {
  const { run = true } = options;
  const projections = [...identityProjections, ...workProjections];
  const test = options.test ?? (await createTestDatabase({ entities: projections.map(({ table }) => table as Type<object>) }));
  if (!stores.has(test)) stores.set(test, await startChosenStore());
  const chosen = stores.get(test);
  const app = await createHttpApp(
    [
      CqrsModule.forRoot(),
      PostgresModule.forRoot({ database: test.database }),
      EventStoreModule.forRoot(new EventTypes(identityEvents, taskEvents), chosen?.url),
      ProjectionsModule.forRoot({ projections, deadlines: (resolve) => workDeadlines(resolve(CommandBus)), run }),
      IdentityModule,
      WorkModule.forRoot(options.settings),
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
  const clock = app.get(Clock);
  const ready = await bootstrap(store, test.database, clock, 'demo');
  const cast = new Map(ready.map(({ name, credential }) => [name.split(' ')[0]!.toLowerCase(), new Client(url, credential)]));
  const as = (name: string) => cast.get(name)!;
  const me = async (client: Client) =>
    (await client.get<{ id: string; tenant: { id: string }; workspaces: { id: string }[] }>('/api/me')).body;
  const idOf = async (name: string) => (await me(as(name))).id;

  return {
    url,
    app,
    test,
    store,
    as,
    idOf,
    async agent(over = {}) {
      const wish = {
        kind: 'agent',
        name: 'Robin',
        roles: ['implementer'],
        capabilities: ['code'],
        accountableHuman: await idOf('ian'),
        ...over,
      };
      const { status, body } = await as('otto').post<{ credential: string }>('/api/credentials', wish);
      if (status !== 201) throw new Error(JSON.stringify(body));
      return new Client(url, body.credential);
    },
    async queue(over = {}) {
      const otto = await me(as('otto'));
      const { workspaceId = otto.workspaces[0]!.id, ...task } = over;
      const taskId = newId();
      const { position } = await app.get(CommandBus).execute(
        new HandleTask(taskId, {
          type: 'QueueTask',
          data: {
            proposalId: newId(),
            title: 'Greet by name',
            queue: 'code',
            brief: 'Say hello to whoever is named.',
            work,
            scopeDigest: digestOf(task.work ?? work),
            actionDigest: 'action',
            presentedDigest: 'presented',
            decidedBy: await idOf('ann'),
            requester: await idOf('mia'),
            agent: await idOf('eve'),
            leaseMs: 900_000,
            ...task,
          },
          meta: {
            tenantId: otto.tenant.id,
            workspaceId,
            actor: systemPrincipal(otto.tenant.id, workspaceId),
            at: clock.now(),
            commandId: derivedId('test-queue', taskId),
            requestDigest: '',
            correlationId: taskId,
            causationId: taskId,
          },
        }),
      );
      if (run) await app.get(Positions).waitFor(position, 10_000);
      return taskId;
    },
    async events(taskId) {
      return (await store.readStream<TaskEvent>(streamName('task', taskId))).events;
    },
    async close() {
      await app.close();
      if (options.test) return;
      await chosen?.stop();
      await test.drop();
    },
  };
}

/** Where the events of servers on one database are; undefined: in that database. */
const stores = new WeakMap<TestDatabase, Awaited<ReturnType<typeof startChosenStore>>>();
