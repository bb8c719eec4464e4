import pg from 'pg';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import {
  derivedId,
  type EventStore,
  EventTypes,
  eventTypes,
  newId,
  streamName,
  type Event,
  type NewEvent,
  type Recorded,
} from '#libs/kernel';
import { TENANT, WORKSPACE } from '#libs/kernel/testing';
import { openPostgresEventStore, type PostgresEventStore } from '#libs/event-store';
import { Clock } from '#libs/postgres';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import type { DeadlineSource } from '../deadline.js';
import { remove, type Projection } from '../projection.js';
import { ProjectionsRuntime, type RuntimeOptions, type StartOptions } from '../runtime.js';

export type BoxFilled = Event<'BoxFilled', { amount: number; owner: string; at: string }>;
export type BoxEmptied = Event<'BoxEmptied', { at: string }>;
export type BoxBroken = Event<'BoxBroken', { at: string }>;
export type BoxGiven = Event<'BoxGiven', { from: string; to: string }>;
/** Concerns no projection. */
export type BoxSeen = Event<'BoxSeen', Record<string, never>>;
export type BoxEvent = BoxFilled | BoxEmptied | BoxBroken | BoxGiven | BoxSeen;

export const boxTypes = new EventTypes(eventTypes<BoxEvent>({ BoxFilled: 1, BoxEmptied: 1, BoxBroken: 1, BoxGiven: 1, BoxSeen: 1 }));

@Entity('boxes')
export class BoxRow {
  @PrimaryColumn('uuid', { name: 'box_id' }) boxId!: string;
  @Column('uuid', { name: 'tenant_id' }) tenantId!: string;
  @Column('uuid', { name: 'workspace_id' }) workspaceId!: string;
  @Column('integer') amount!: number;
  @Column('text') owner!: string;
  @Column('text', { array: true }) trail!: string[];
  @Column('jsonb', { nullable: true }) detail!: { amounts: number[]; note?: string } | null;
  @Column('bigint') revision!: string;
  @Column('timestamptz', { name: 'changed_at' }) changedAt!: string;
  @Column('timestamptz', { name: 'emptied_at', nullable: true }) emptiedAt!: string | null;
}

export const boxes: Projection<BoxRow, BoxEvent> = {
  name: 'boxes',
  version: 1,
  table: BoxRow,
  key: (event) => event.stream.slice('box-'.length),
  evolve: {
    BoxFilled: (row, { data, meta, revision }, boxId) => ({
      boxId,
      tenantId: meta.tenantId,
      workspaceId: meta.workspaceId,
      amount: (row?.amount ?? 0) + data.amount,
      owner: data.owner,
      trail: [...(row?.trail ?? []), `filled, "${data.amount}"`].slice(-5),
      detail: { amounts: [...(row?.detail?.amounts ?? []), data.amount].slice(-5) },
      revision: revision.toString(),
      changedAt: data.at,
      emptiedAt: row?.emptiedAt ?? null,
    }),
    BoxEmptied: (row, { data, revision }) =>
      row && {
        ...row,
        amount: 0,
        trail: [...row.trail, 'emptied'].slice(-5),
        detail: null,
        revision: `${revision}`,
        changedAt: data.at,
        emptiedAt: data.at,
      },
    BoxBroken: () => remove,
  },
  feed: (event, row) => ({
    kind: 'box',
    subject: event.stream,
    tenantId: event.meta.tenantId,
    workspaceId: event.meta.workspaceId,
    audience: {},
    data: { amount: row?.amount ?? null, type: event.type },
  }),
};

@Entity('owners')
export class OwnerRow {
  @PrimaryColumn('text') owner!: string;
  @Column('uuid', { name: 'tenant_id' }) tenantId!: string;
  @Column('uuid', { name: 'workspace_id' }) workspaceId!: string;
  @Column('integer') events!: number;
}

/** Two rows an event, where it names two owners. */
export const owners: Projection<OwnerRow, BoxFilled | BoxGiven> = {
  name: 'owners',
  version: 1,
  table: OwnerRow,
  key: (event) => (event.type === 'BoxGiven' ? [event.data.from, event.data.to] : event.data.owner),
  evolve: {
    BoxFilled: (row, event, owner) => counted(row, event, owner),
    BoxGiven: (row, event, owner) => counted(row, event, owner),
  },
};

const counted = (row: OwnerRow | undefined, { meta }: Recorded, owner: string): OwnerRow => ({
  owner,
  tenantId: meta.tenantId,
  workspaceId: meta.workspaceId,
  events: (row?.events ?? 0) + 1,
});

/** A box that was filled is to be emptied at the time its event names. */
export const emptying = (handlers: DeadlineSource['handlers']): DeadlineSource<BoxFilled | BoxEmptied> => ({
  name: 'emptying',
  version: 1,
  types: ['BoxFilled', 'BoxEmptied'],
  deadline: ({ type, stream, data, meta }) =>
    type === 'BoxFilled'
      ? { set: [{ key: stream, stream, kind: 'empty', dueAt: data.at, tenantId: meta.tenantId, workspaceId: meta.workspaceId }] }
      : { clear: [stream] },
  handlers,
});

/** One event of a stream of the test tenant, whose id follows from place and type. */
export const boxEvent = (stream: string, revision: number, event: BoxEvent, tenantId = TENANT): NewEvent => ({
  ...event,
  id: derivedId(stream, String(revision)),
  meta: {
    tenantId,
    workspaceId: WORKSPACE,
    actor: { id: 'test', kind: 'service' },
    credentialId: 'test',
    auditId: derivedId(stream, 'audit'),
    commandId: derivedId(stream, 'command', String(revision)),
    requestDigest: '',
    correlationId: '',
    causationId: '',
  },
});

export const AT = '2026-01-05T09:00:00.123Z';
export const filled = (amount: number, owner = 'ann', at = AT): BoxFilled => ({ type: 'BoxFilled', data: { amount, owner, at } });
export const emptied = (at = AT): BoxEmptied => ({ type: 'BoxEmptied', data: { at } });
export const newBox = (): string => streamName('box', newId());

/** The store, but for what is given. */
export const storeLike = (store: EventStore, over: Partial<EventStore>): EventStore =>
  Object.create(store, Object.getOwnPropertyDescriptors(over)) as EventStore;

/** Processes that share a database: each runtime is one of them. */
export type Boxes = Readonly<{
  database: TestDatabase;
  store: PostgresEventStore;
  clock: Clock;
  reports: string[];
  runtime(options?: Partial<RuntimeOptions>): ProjectionsRuntime;
  started(options?: Partial<RuntimeOptions & StartOptions>): Promise<ProjectionsRuntime>;
  /** Appends at the end of a stream; answers the position. */
  append(stream: string, ...events: BoxEvent[]): Promise<string>;
  /** As an administrator. */
  admin<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>;
  rows<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>;
  close(): Promise<void>;
}>;

export const openBoxes = async (): Promise<Boxes> => {
  const database = await createTestDatabase({ entities: [BoxRow, OwnerRow] });
  const store = await openPostgresEventStore(database.database, boxTypes);
  const clock = new Clock(database.database.projector);
  await clock.start();
  const reports: string[] = [];
  const runtimes: ProjectionsRuntime[] = [];
  const revisions = new Map<string, number>();
  const admin = async <R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]> => {
    const client = new pg.Client(database.urls.owner);
    await client.connect();
    try {
      return (await client.query<R>(text, values)).rows;
    } finally {
      await client.end();
    }
  };
  await admin(TABLES);
  const runtime = (options: Partial<RuntimeOptions> = {}) => {
    const report = (message: string, error?: unknown) =>
      void reports.push(error instanceof Error ? `${message} ${error.message}` : message);
    const made = new ProjectionsRuntime({ database: database.database, store, clock, projections: [boxes, owners], report, ...options });
    runtimes.push(made);
    return made;
  };
  return {
    database,
    store,
    clock,
    reports,
    admin,
    runtime,
    async started({ reactors, deadlines, run = true, ...options } = {}) {
      const made = runtime(options);
      await made.start({ run, ...(reactors && { reactors }), ...(deadlines && { deadlines }) });
      return made;
    },
    async append(stream, ...events) {
      const from = revisions.get(stream) ?? 0;
      revisions.set(stream, from + events.length);
      const { position } = await store.append(
        stream,
        events.map((event, index) => boxEvent(stream, from + index, event)),
        BigInt(from) - 1n,
      );
      return position;
    },
    rows: async (text, values) => (await database.database.projector.query(text, values)).rows as never,
    async close() {
      await Promise.all(runtimes.map((made) => made.stop()));
      store.close();
      clock.stop();
      await database.drop();
    },
  };
};

const TABLES = `
  set role workbench_owner;
  create table read_models.boxes (
    box_id uuid primary key, tenant_id uuid not null, workspace_id uuid not null, amount integer not null check (amount < 1000000),
    owner text not null, trail text[] not null, detail jsonb, revision bigint not null, changed_at timestamptz not null, emptied_at timestamptz
  ) with (fillfactor = 90);
  create index boxes_by_owner on read_models.boxes (tenant_id, owner, changed_at desc) include (amount) where amount > 0;
  create table read_models.owners (owner text primary key, tenant_id uuid not null, workspace_id uuid not null, events integer not null);
  select workbench.secure('read_models', 'boxes'), workbench.secure('read_models', 'owners');`;
