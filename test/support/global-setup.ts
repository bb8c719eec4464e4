import { existsSync } from 'node:fs';
import Module from 'node:module';
import path from 'node:path';
import type { Cluster } from './cluster.js';

const holder = globalThis as { workbenchCluster?: Cluster };

/** Starts the server that all tests of this run share; `test/support/database.ts` finds it through the environment. */
export default async function setUp(): Promise<void> {
  resolveTypeScript();
  const { startCluster } = await import('./cluster.js');
  const cluster = await startCluster();
  holder.workbenchCluster = cluster;
  process.env['WORKBENCH_TEST_DATABASE'] = JSON.stringify(cluster.connection);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      void cluster.stop().finally(() => process.kill(process.pid, signal));
    });
}

/** Jest compiles what a global setup imports, but leaves it to Node to find it, to whom a `.ts` is no `.js`. */
const resolveTypeScript = (): void => {
  const loader = Module as unknown as {
    _resolveFilename(request: string, parent: { filename?: string } | undefined, ...rest: unknown[]): string;
  };
  const resolve = loader._resolveFilename.bind(loader);
  loader._resolveFilename = (request, parent, ...rest) => {
    if (request.startsWith('.') && request.endsWith('.js') && parent?.filename) {
      const source = path.resolve(path.dirname(parent.filename), request.replace(/\.js$/, '.ts'));
      if (existsSync(source)) return source;
    }
    return resolve(request, parent, ...rest);
  };
};
