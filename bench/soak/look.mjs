import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const MIB = 2 ** 20;
/** With which Node measures the event loop's delay; a loop that is never late shows just this. */
const LOOP_RESOLUTION_MS = 10;

/** Memory in MB of the server and of all processes of its PostgreSQL (without the pages they share), and what /metrics says. Reads /proc: Linux alone. */
export const look = async ({ url, pid, postmaster }) => {
  const text = await (await fetch(`${url}/metrics`)).text();
  const values = (name) => [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].map(([, value]) => Number(value));
  const backends = readdirSync('/proc').filter((each) => /^\d+$/.test(each) && parentOf(each) === postmaster);
  const [server, databases] = [memoryOf(pid), [postmaster, ...backends].map(memoryOf)];
  return {
    rss: server.rss,
    heap: values('nodejs_heap_size_used_bytes')[0] / MIB,
    postgres: databases.reduce((sum, { rss, shared }) => sum + rss - shared, 0),
    connections: values('workbench_database_connections').reduce((sum, each) => sum + each, 0),
    late: Math.max(0, values('nodejs_eventloop_lag_p99_seconds')[0] * 1_000 - LOOP_RESOLUTION_MS),
    lagSeconds: values('workbench_projection_lag_seconds')[0],
    lagEvents: values('workbench_projection_lag_events')[0],
  };
};

/** In bytes; what is written ahead is set aside in pieces of 16 MB and used again, and is not counted. */
export const diskOf = ({ folder }) => {
  const sizes = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes(`${path.sep}pg_wal`))
    .map((entry) => statSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
};

const memoryOf = (pid) => {
  const field = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(statusOf(pid))?.[1] ?? 0) / 1_024;
  return { rss: field('VmRSS'), shared: field('RssShmem') + field('RssFile') };
};
const parentOf = (pid) => Number(/^PPid:\s+(\d+)/m.exec(statusOf(pid))?.[1]);

/** Empty where the process has ended meanwhile. */
const statusOf = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
};
