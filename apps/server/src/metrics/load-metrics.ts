import { Counter, Gauge, type Registry } from 'prom-client';
import type { Pool } from 'pg';
import type { Admission, EventStreams, FinishedRequest } from '#libs/http';

/** What this process is asked to do, what it turns away, and what it has left: places, connections, streams. */
export const loadMetrics = (
  registry: Registry,
  { admission, streams, pools }: Readonly<{ admission: Admission; streams: EventStreams; pools: Readonly<Record<string, Pool>> }>,
): ((request: FinishedRequest) => void) => {
  const registers = [registry];
  const gauge = (name: string, help: string, labelNames: string[], show: (gauge: Gauge) => void): void => {
    const one: Gauge = new Gauge({ name: `workbench_${name}`, help, labelNames, registers, collect: () => (one.reset(), show(one)) });
  };
  gauge('requests_in_progress', 'Requests that hold a place, by lane: command, read, stream (while it opens).', ['lane'], (one) =>
    admission.lanes().forEach(({ lane, active }) => one.set({ lane }, active)),
  );
  gauge('requests_waiting', 'Requests that wait for a place.', ['lane'], (one) =>
    admission.lanes().forEach(({ lane, waiting }) => one.set({ lane }, waiting)),
  );
  gauge('long_polls', 'Requests that wait for work, for people or for read models, and hold no place.', [], (one) =>
    one.set(admission.standingAside),
  );
  gauge('event_loop_late_seconds', 'How late the event loop was, on average over the last half second.', [], (one) =>
    one.set(admission.loopLagMs / 1000),
  );
  gauge('database_connections', 'Connections to PostgreSQL, by pool and state: used, idle.', ['pool', 'state'], (one) =>
    Object.entries(pools).forEach(([pool, { totalCount, idleCount }]) => {
      one.set({ pool, state: 'used' }, totalCount - idleCount);
      one.set({ pool, state: 'idle' }, idleCount);
    }),
  );
  gauge('database_queries_waiting', 'Queries that wait for a connection.', ['pool'], (one) =>
    Object.entries(pools).forEach(([pool, { waitingCount }]) => one.set({ pool }, waitingCount)),
  );
  gauge('open_streams', 'Server-sent event streams that are open, by route.', ['route'], (one) => {
    for (const [route, count] of streams.byRoute()) one.set({ route }, count);
  });
  const cut: Counter = new Counter({
    name: 'workbench_streams_cut_off_total',
    help: 'Streams that were closed because their client did not read. It resumes with Last-Event-ID.',
    registers,
    collect: () => (cut.reset(), cut.inc(streams.cutOff)),
  });
  const turned: Counter = new Counter({
    name: 'workbench_requests_turned_away_total',
    help: 'Requests answered 503 server/busy, by lane and by what was short: full, late, lagging, queries, aside.',
    labelNames: ['lane', 'why'],
    registers,
    collect: () => {
      turned.reset();
      for (const { lane, why, count } of admission.refusals()) turned.inc({ lane, why }, count);
    },
  });
  const problems = new Counter({
    name: 'workbench_http_problems_total',
    help: 'Requests answered with a problem, by its code; request/too-many are those past the rate limit.',
    labelNames: ['code'],
    registers,
  });
  return ({ context }) => {
    if (context.problem !== undefined) problems.inc({ code: context.problem });
  };
};
