import { Histogram, type Registry } from 'prom-client';
import type { FinishedRequest } from '#libs/http';

/** How long requests take, by the pattern of their route. Answers what to call for each request. */
export const httpMetrics = (registry: Registry): ((request: FinishedRequest) => void) => {
  const durations = new Histogram({
    name: 'workbench_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer. Streams count in workbench_open_streams instead.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
    registers: [registry],
  });
  return ({ method, route, status, durationMs, isStream }) => {
    if (!isStream) durations.observe({ method, route: route ?? 'none', status: String(status) }, durationMs / 1000);
  };
};
