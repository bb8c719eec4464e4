import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** `silent`: connections stay and nothing comes through; `closed`: there are none; `slow`: each piece takes its time. */
export type Weather = 'open' | 'silent' | 'closed' | Readonly<{ slow: number }>;

/** The TCP way of one server to PostgreSQL's socket, which a test can make bad. */
export type Line = Readonly<{
  port: number;
  /** Breaks all connections, now. Answers how many. */
  cut(): number;
  become(weather: Weather): void;
  close(): Promise<void>;
}>;

export async function startLine(socketPath: string): Promise<Line> {
  const sockets = new Set<Socket>();
  let weather: Weather = 'open';
  const waiting = new Set<() => void>();
  const passable = async (): Promise<void> => {
    while (weather === 'silent') await new Promise<void>((resolve) => waiting.add(resolve));
    if (typeof weather === 'object') await new Promise((resolve) => setTimeout(resolve, (weather as { slow: number }).slow));
  };
  const server = createServer((near) => {
    if (weather === 'closed') return void near.destroy();
    const far = connect(socketPath);
    const hangUp = () => [near, far].forEach((socket) => socket.destroy());
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', hangUp);
      from.on('close', () => {
        sockets.delete(from);
        hangUp();
      });
      from.on('data', (piece: Buffer) => {
        if (weather === 'open') return void to.write(piece);
        from.pause();
        void passable().then(() => {
          if (!to.destroyed) to.write(piece);
          from.resume();
        });
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    const count = sockets.size / 2;
    for (const socket of sockets) socket.destroy();
    return count;
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    become(next) {
      weather = next;
      if (next === 'closed') cut();
      for (const wake of waiting) wake();
      waiting.clear();
    },
    async close() {
      weather = 'closed';
      cut();
      for (const wake of waiting) wake();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
