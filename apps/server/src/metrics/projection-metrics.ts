import { Gauge, type Registry } from 'prom-client';
import type { ProjectionReport, ProjectionStatus } from '#libs/projections';

/** How far the read models are behind the events, and what is stuck. One look at the database serves a scrape. */
export const projectionMetrics = (registry: Registry, status: Pick<ProjectionStatus, 'read'>): void => {
  let looking: Promise<ProjectionReport | undefined> | undefined;
  const look = () =>
    (looking ??= status
      .read()
      .catch(() => undefined)
      .finally(() => (looking = undefined)));

  const gauge = (name: string, help: string, labelNames: string[], show: (gauge: Gauge, report: ProjectionReport | undefined) => void) => {
    const one: Gauge = new Gauge({
      name: `workbench_${name}`,
      help,
      labelNames,
      registers: [registry],
      collect: async () => {
        const report = await look();
        one.reset();
        show(one, report);
      },
    });
  };

  gauge('projections_led', '1 while some server projects; 0 where none does or the database does not answer.', [], (one, report) =>
    one.set(report?.led ? 1 : 0),
  );
  gauge('projection_lag_seconds', 'Age of the oldest event that some read model does not know yet.', [], (one, report) =>
    one.set(report?.lag?.seconds ?? NaN),
  );
  gauge('projection_lag_events', 'Events that some read model does not know yet.', [], (one, report) =>
    one.set(report?.lag?.events ?? NaN),
  );
  gauge('projection_faulted', '1 for a projection that met an event it cannot fold.', ['projection'], (one, report) =>
    report?.projections.forEach(({ name, state }) => one.set({ projection: name }, state === 'faulted' ? 1 : 0)),
  );
  gauge('reactor_parked_events', 'Events that a reactor could not answer and has put aside.', ['reactor'], (one, report) =>
    report?.reactors.forEach(({ name, parked }) => one.set({ reactor: name }, parked.length)),
  );
};
