import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Appends that answer with the place and the time of every event, so that nobody has to read them back, and take one insert where they can. */
export class Append0000000000012 implements MigrationInterface {
  async up(sql: QueryRunner): Promise<void> {
    await sql.query(APPEND);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only. Restore a backup to go back.'));
  }
}

const APPEND = `
  -- Many appends in one transaction, so that they share one commit; each is all or none and has an outcome of its own. A row for
  -- each event that is stored, else one for its append; "item" says which append it is of, from 1:
  --   appended, repeat: revision, position and recorded_at are those of the event, in the order of the append
  --   duplicate: an event with the id "duplicate" is stored with another place or content
  --   conflict: the stream is at revision (-1: there is none)
  -- The events of all appends lie one after the other in ids, types, bodies and metas; counts says how many belong to each. Give them sorted
  -- by stream: two transactions then wait for each other's streams in one order, and never in a circle.
  -- (es.append_many, which answered with the last place only, stays for servers of before that still run.)
  --
  -- Of several single events for as many streams that are all where they are expected one insert is made, which takes half as long for
  -- each. Whoever was faster than one of them, unseen so far, lets all fail with serialization_failure: sent again one by one, each
  -- gets an outcome of its own. Planned once, by indexes: a plan for each call would cost more than it saves.
  create function es.append(
    streams text[], expected bigint[], counts int[], ids uuid[], types text[], bodies json[], metas json[],
    out item int, out outcome text, out revision bigint, out "position" bigint, out recorded_at timestamptz, out duplicate uuid
  ) returns setof record language plpgsql
  set search_path = pg_catalog set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
  as $$
  #variable_conflict use_column
  declare
    here text;
    base bigint;
    first int;
    last int := 0;
    done int;
    known record;
  begin
    perform pg_current_xact_id();  -- before the first nextval: es.watermark relies on it

    if cardinality(streams) > 1 and cardinality(ids) = cardinality(streams) and 1 = all (counts) and not exists (
      select from unnest(streams, expected) with ordinality as a (stream, base, nth)
       where a.stream = streams[a.nth - 1]
          or a.base <> coalesce((select e.revision from es.events e where e.stream = a.stream order by e.revision desc limit 1), -1)
    ) then
      return query
        with stored as (
          insert into es.events as e (position, stream, revision, event_id, type, data, meta)
          select nextval('es.positions'), a.stream, a.base + 1, a.id, a.type, a.body, a.meta
            from unnest(streams, expected, ids, types, bodies, metas) as a (stream, base, id, type, body, meta)
          on conflict do nothing returning e.stream, e.revision, e.position, e.recorded_at
        )
        select a.nth::int, 'appended', s.revision, s.position, s.recorded_at, null::uuid
          from unnest(streams) with ordinality as a (stream, nth) join stored s on s.stream = a.stream;
      get diagnostics done = row_count;
      if done < cardinality(streams) then
        raise exception 'Another append stored some of these events meanwhile.' using errcode = 'serialization_failure';
      end if;
      return;
    end if;

    for nth in 1 .. cardinality(streams) loop
      item := nth;
      here := streams[nth];
      base := expected[nth];
      first := last + 1;
      last := last + counts[nth];
      done := 0;
      outcome := 'appended'; duplicate := null;

      -- Only that there is a revision before it has to be seen: that nothing is there yet, its unique key says.
      if (base = -1 or exists (select from es.events e where e.stream = here and e.revision = base))
         and (first = last or not exists (select from es.events e where e.event_id = any (ids[first:last]))) then
        -- One by one: positions follow revisions by construction.
        for i in first .. last loop
          insert into es.events as e (position, stream, revision, event_id, type, data, meta)
            values (nextval('es.positions'), here, base + 1 + done, ids[i], types[i], bodies[i], metas[i])
            on conflict do nothing returning e.revision, e.position, e.recorded_at into revision, position, recorded_at;
          exit when not found;
          done := done + 1;
          return next;
        end loop;
        if done = counts[nth] then
          continue;
        elsif done > 0 then
          raise exception 'Another append stored some of these events meanwhile.' using errcode = 'serialization_failure';
        end if;
      end if;

      -- Why not. Those who wrote first have committed by now: an insert waits for whom it collides with.
      select count(*) as stored, count(*) filter (where m.same) as same, (array_agg(m.event_id order by m.same, m.i))[1] as odd
        into known
        from (select i, e.event_id,
                     e.stream = here and e.revision = base + 1 + i - first and e.meta ->> 'contentHash' = metas[i] ->> 'contentHash' as same
                from generate_series(first, last) i join es.events e on e.event_id = ids[i]) m;
      if known.same = counts[nth] then
        outcome := 'repeat';
        for revision, position, recorded_at in
          select e.revision, e.position, e.recorded_at from es.events e where e.event_id = any (ids[first:last]) order by e.revision
        loop
          return next;
        end loop;
        continue;
      end if;
      revision := null; position := null; recorded_at := null;
      if known.stored > 0 then
        outcome := 'duplicate';
        duplicate := known.odd;
      else
        outcome := 'conflict';
        select coalesce(max(e.revision), -1) into revision from es.events e where e.stream = here;
        if revision = base then
          raise exception 'The sequence es.positions lies behind es.events.'
            using hint = $hint$Run: select setval('es.positions', (select max(position) from es.events))$hint$;
        end if;
      end if;
      return next;
    end loop;
  end $$`;
