import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Connection } from '../../libs/postgres/src/connection.js';

/** What becomes of a request: it arrives and is answered; it is lost and the line breaks; it arrives and its answer is lost; nothing is heard of it. */
export type Fate = 'pass' | 'lose request' | 'lose answer' | 'silence';

export type WeakLine = Readonly<{
  /** The same login, through this line. */
  connection: Connection;
  /** Decides over each request that contains the text. */
  judge(text: string, decide: () => Fate): void;
  close(): Promise<void>;
}>;

/** A line to the test server that breaks where a test says so: what lies between commit and answer cannot be reached otherwise. */
export async function weakLine(connection: Connection): Promise<WeakLine> {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'weak-line-'));
  const name = `.s.PGSQL.${connection.port}`;
  const sockets = new Set<Socket>();
  let judged: Readonly<{ text: string; decide: () => Fate }> | undefined;
  const server = createServer((near) => {
    const far = connect(path.join(String(connection.host), name));
    const hangUp = () => [near, far].forEach((socket) => socket.destroy());
    let fate: Fate = 'pass';
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', hangUp);
      socket.on('close', hangUp);
      socket.on('close', () => sockets.delete(socket));
    }
    near.on('data', (chunk) => {
      if (judged && chunk.includes(judged.text)) fate = judged.decide();
      if (fate === 'lose request') hangUp();
      else if (fate !== 'silence') far.write(chunk);
    });
    // The server answers a request in one go, once it has committed.
    far.on('data', (chunk) => (fate === 'lose answer' ? hangUp() : near.write(chunk)));
  });
  await new Promise<void>((resolve) => server.listen(path.join(directory, name), resolve));
  return {
    connection: { ...connection, host: directory },
    judge(text, decide) {
      judged = { text, decide };
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
