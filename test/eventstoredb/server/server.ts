import { randomBytes } from 'node:crypto';
import type { Certificate } from './certificate.js';
import { clusterInfo } from './features.js';
import { Log } from './log.js';
import { Node, type NodeOptions } from './node.js';

export type WireOptions = Pick<NodeOptions, 'users' | 'batch'> & Readonly<{ nodes?: number; tls?: Certificate; log?: Log }>;

/** An EventStoreDB of one or more nodes that speaks its protocol, and its control side: all but `url` and `stop`. */
export type WireServer = Readonly<{
  /** A connection string for all of its nodes. */
  url: string;
  log: Log;
  nodes: readonly Node[];
  /** The first node: the leader, until another is elected. */
  node: Node;
  /** Makes another node the leader; undefined: the cluster has none right now. */
  elect(index: number | undefined): void;
  stop(): Promise<void>;
}>;

export async function startWireServer({ nodes: count = 1, log = new Log(), users, tls, batch }: WireOptions = {}): Promise<WireServer> {
  const nodes: Node[] = [];
  const down = new Set<Node>();
  let leading: number | undefined = 0;
  const leader = () => (leading === undefined ? undefined : nodes[leading]);
  const gossip = () => clusterInfo(nodes.map((node) => ({ port: node.port, leads: node === leader(), alive: !down.has(node) })));
  for (let index = 0; index < count; index++)
    nodes.push(
      await Node.start({ log, leader, gossip, ...(users && { users }), ...(tls && { tls }), ...(batch !== undefined && { batch }) }),
    );
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const [name, password] = Object.entries(users ?? {})[0] ?? [];
  const credentials = name === undefined ? '' : `${encodeURIComponent(name)}:${encodeURIComponent(password!)}@`;
  return {
    url: `esdb://${credentials}${hosts}?${tls ? `tlsCAFile=${encodeURIComponent(tls.file)}` : 'tls=false'}`,
    log,
    nodes,
    node: nodes[0]!,
    elect: (index) => void (leading = index),
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}

/** A seed that is printed with what fails. */
export const randomSeed = (): number => randomBytes(4).readUInt32LE();
