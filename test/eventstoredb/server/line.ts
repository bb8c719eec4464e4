import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** The way to a node: what happens to connections happens here, below gRPC, so that clients find out as they would on a network. */
export type Line = Readonly<{
  port: number;
  /** Where connections go from now on; undefined: they are closed as soon as they are opened. */
  leadTo(port: number | undefined): void;
  /** Ends all connections, or the one that a node sees as coming from this address. */
  cut(peer?: string): void;
  /** Nothing passes in either direction, and nobody is told: as if the node's process were stopped, pings included. */
  freeze(): void;
  thaw(): void;
  /** Milliseconds for which each piece is on its way. */
  delay(ms: number): void;
  connections(): number;
  close(): Promise<void>;
}>;

type Pair = Readonly<{ near: Socket; far: Socket }>;

export async function openLine(): Promise<Line> {
  const pairs = new Set<Pair>();
  let target: number | undefined;
  let frozen = false;
  let ms = 0;

  const server = createServer((near) => {
    if (target === undefined) return void near.destroy();
    const far = connect(target, '127.0.0.1');
    const pair = { near, far };
    const hangUp = () => {
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    pairs.add(pair);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.setNoDelay(true);
      from.on('error', hangUp);
      from.on('close', hangUp);
      from.on('data', (piece) => {
        if (ms > 0) setTimeout(() => to.writable && to.write(piece), ms);
        else to.write(piece);
      });
      if (frozen) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const cut = (peer?: string) => {
    for (const { near, far } of [...pairs]) if (peer === undefined || peer === `127.0.0.1:${far.localPort}`) near.destroy();
  };
  const each = (act: (socket: Socket) => void) => [...pairs].forEach(({ near, far }) => [near, far].forEach(act));
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(port) {
      target = port;
      if (port === undefined) cut();
    },
    cut,
    freeze() {
      frozen = true;
      each((socket) => socket.pause());
    },
    thaw() {
      frozen = false;
      each((socket) => socket.resume());
    },
    delay(time) {
      ms = time;
    },
    connections: () => pairs.size,
    async close() {
      each((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
