import type { Cluster } from './cluster.js';

/** Stops the server and removes its data. */
export default async function tearDown(): Promise<void> {
  await (globalThis as { workbenchCluster?: Cluster }).workbenchCluster?.stop();
}
