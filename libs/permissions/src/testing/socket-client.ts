import { WebSocket, type ClientOptions } from 'ws';
import { eventually } from '../../../../test/support/eventually.js';

type Message = Readonly<{ type: string; data: Record<string, unknown> }>;

/** A real client of /ws/permissions, and all that it hears. */
export type SocketClient = Readonly<{
  heard: readonly Message[];
  of(type: string): Record<string, unknown>[];
  send(message: unknown): void;
  /** As it is, for what a well-behaved client would not send. */
  raw(bytes: string | Buffer): void;
  isClosed(): boolean;
  closed(ms?: number): Promise<Readonly<{ code: number; reason: string }>>;
  /** HTTP status with which the upgrade was refused. */
  refused(): Promise<number>;
  protocol(): string;
  close(): void;
}>;

export const connect = (url: string, query: string, options: ClientOptions = {}, protocols: string[] = []): SocketClient => {
  const heard: Message[] = [];
  let end: { code: number; reason: string } | undefined;
  let status: number | undefined;
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws/permissions${query}`, protocols, options);
  socket.on('message', (bytes: Buffer) => heard.push(JSON.parse(bytes.toString()) as Message));
  socket.on('close', (code, reason) => (end = { code, reason: reason.toString() }));
  socket.on('unexpected-response', (_, response) => {
    status = response.statusCode;
    socket.terminate();
  });
  socket.on('error', () => undefined);
  return {
    heard,
    of: (type) => heard.filter((message) => message.type === type).map(({ data }) => data),
    send: (message) => socket.send(JSON.stringify(message)),
    raw: (bytes) => socket.send(bytes),
    isClosed: () => end !== undefined,
    closed: (ms = 5_000) => eventually(() => end, ms),
    refused: () => eventually(() => status),
    protocol: () => socket.protocol,
    close: () => socket.close(),
  };
};
