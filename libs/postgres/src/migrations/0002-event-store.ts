import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The log of events, the one way to append to it, and how far it may be read in order. */
export class EventStore0000000000002 implements MigrationInterface {
  async up(sql: QueryRunner): Promise<void> {
    await sql.query(`
      -- Names this database to those who keep positions; a restored backup keeps the name, since its positions hold on.
      create table es.store (
        one boolean primary key default true check (one),
        id uuid not null default gen_random_uuid()
      );
      insert into es.store default values;
      select workbench.secure('es', 'store');
      revoke insert, update, delete on es.store from workbench_projector;

      -- No cache, and no column default: only es.append_many draws from it, after it has its transaction id (see es.watermark).
      create sequence es.positions;

      -- json, not jsonb: the text comes back as it was hashed, reading all is 1.6 times as fast, rows are 15 % smaller, and appending
      -- costs the same (measured). Nothing here searches inside; what the app looks for is in read models.
      create table es.events (
        position bigint primary key,
        stream text collate "C" not null,
        revision bigint not null,
        event_id uuid not null,
        type text not null,
        data json not null,
        meta json not null,
        tenant_id uuid not null generated always as ((meta ->> 'tenantId')::uuid) stored,
        recorded_at timestamptz not null default clock_timestamp(),
        constraint one_event_per_revision unique (stream, revision),
        constraint one_place_per_event unique (event_id)
      );
      select workbench.secure('es', 'events');
      revoke update, delete on es.events from workbench_projector;
    `);
    await sql.query(APPEND_MANY);
    await sql.query(WATERMARK);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only. Restore a backup to go back.'));
  }
}

const APPEND_MANY = `
  -- Many appends in one transaction, so that they share one commit; each is all or none and has an outcome of its own, in the order given:
  --   appended, repeat: at_revision and at_position are those of its last event
  --   duplicate: an event with the id "duplicate" is stored with another place or content
  --   conflict: the stream is at at_revision (-1: there is none)
  -- The events of all appends lie one after the other in ids, types, bodies and metas; counts says how many belong to each. Give them sorted
  -- by stream: two transactions then wait for each other's streams in one order, and never in a circle.
  create function es.append_many(
    streams text[], expected bigint[], counts int[], ids uuid[], types text[], bodies json[], metas json[],
    out outcome text, out at_revision bigint, out at_position bigint, out duplicate uuid
  ) returns setof record language plpgsql set search_path = pg_catalog as $$
  declare
    here text;
    base bigint;
    head bigint;
    first int;
    last int := 0;
    done int;
    known record;
  begin
    perform pg_current_xact_id();  -- before the first nextval: es.watermark relies on it
    for item in 1 .. cardinality(streams) loop
      here := streams[item];
      base := expected[item];
      first := last + 1;
      last := last + counts[item];
      done := 0;
      outcome := null; at_revision := null; at_position := null; duplicate := null;

      select e.revision into head from es.events e where e.stream = here order by e.revision desc limit 1;
      if coalesce(head, -1) = base and (first = last or not exists (select from es.events e where e.event_id = any (ids[first:last]))) then
        -- One by one: that is twice as fast as one insert from a set, and positions follow revisions by construction.
        for i in first .. last loop
          insert into es.events (position, stream, revision, event_id, type, data, meta)
            values (nextval('es.positions'), here, base + 1 + done, ids[i], types[i], bodies[i], metas[i])
            on conflict do nothing;
          exit when not found;
          done := done + 1;
        end loop;
        if done = counts[item] then
          outcome := 'appended';
          at_revision := base + done;
          at_position := currval('es.positions');
          return next;
          continue;
        elsif done > 0 then
          raise exception 'Another append stored some of these events meanwhile.' using errcode = 'serialization_failure';
        end if;
      end if;

      -- Why not. Those who wrote first have committed by now: an insert waits for whom it collides with.
      select count(*) as stored, count(*) filter (where m.same) as same, max(m.position) as position,
             (array_agg(m.event_id order by m.same, m.i))[1] as odd
        into known
        from (select i, e.event_id, e.position,
                     e.stream = here and e.revision = base + 1 + i - first and e.meta ->> 'contentHash' = metas[i] ->> 'contentHash' as same
                from generate_series(first, last) i join es.events e on e.event_id = ids[i]) m;
      if known.same = counts[item] then
        outcome := 'repeat';
        at_revision := base + known.same;
        at_position := known.position;
      elsif known.stored > 0 then
        outcome := 'duplicate';
        duplicate := known.odd;
      else
        select e.revision into head from es.events e where e.stream = here order by e.revision desc limit 1;
        outcome := 'conflict';
        at_revision := coalesce(head, -1);
        if at_revision = base then
          raise exception 'The sequence es.positions lies behind es.events.'
            using hint = $hint$Run: select setval('es.positions', (select max(position) from es.events))$hint$;
        end if;
      end if;
      return next;
    end loop;
  end $$`;

const WATERMARK = `
  -- Positions are drawn in one order and committed in another. A reader that goes on after the highest position that it saw loses
  -- those that were drawn before and committed later. So it goes up to "highest" of a sample only once no transaction is left that had an
  -- id when the sample was taken: as soon as this or any later sample has oldest_xid >= next_xid. An append has its transaction id before
  -- it draws, so whoever drew a position below "highest" had one below next_xid; a position is then final, and a checkpoint is one number.
  --
  -- * The order of the three steps is the proof: first the position, then the counter of transaction ids, last the snapshot.
  -- * pg_snapshot_xmax is not that counter: it is one past the latest id that has *ended*, and appends with higher ones may be
  --   running. pg_current_xact_id would use up an id for each look. age(xid) reads the counter itself, once a transaction: so call
  --   this as a transaction of its own, one that has no id.
  -- * "highest" is a committed position and not the last one drawn: a crash may take back draws that no commit has flushed, and those
  --   positions are given out again.
  -- * Any long transaction that writes, in any database of the server, holds readers back; idle_in_transaction_session_timeout and
  --   short transactions keep that short.
  create function es.watermark(out highest bigint, out next_xid bigint, out oldest_xid bigint) language plpgsql set search_path = pg_catalog as $$
  declare
    counter bigint;
    snapshot pg_snapshot;
    ended bigint;
  begin
    if pg_current_xact_id_if_assigned() is not null then
      raise exception 'es.watermark needs a transaction that has written nothing.';
    end if;
    select coalesce(max(e.position), 0) into highest from es.events e;
    counter := (age('3'::xid)::bigint + 3) & 4294967295;
    snapshot := pg_current_snapshot();

    oldest_xid := pg_snapshot_xmin(snapshot)::text::bigint;
    -- The counter has the low 32 bits of what the snapshot knows in 64. "Far ahead" is a little behind: xmax passed it meanwhile.
    ended := pg_snapshot_xmax(snapshot)::text::bigint;
    next_xid := ended + ((counter - ended) & 4294967295);
    if next_xid - ended > 2147483648 then
      next_xid := ended;
    end if;
  end $$`;
