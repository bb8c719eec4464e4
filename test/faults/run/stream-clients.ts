import { connect, type Socket } from 'node:net';

/** Clients of the live feed that do what none should. Each opens `count` connections; the answer closes them. */
export const openBadStreams = (url: string, credential: string, count: number): (() => void) => {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  const open = (text: string, then: (socket: Socket) => void = () => undefined) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(text);
      then(socket);
    });
    socket.on('error', () => undefined);
    sockets.push(socket);
  };
  const request = (extra = '') =>
    `GET /api/events/stream HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${credential}\r\naccept: text/event-stream\r\n${extra}\r\n`;
  const upgrade =
    'GET /ws/permissions?userId=x HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
  for (let index = 0; index < count; index++) {
    open(request(), (socket) => socket.pause()); // never reads
    open(request().slice(0, 60)); // never finishes its request
    open(request(`last-event-id: ${'9'.repeat(4_000)}\r\n`)); // asks to resume after what never was
    open(upgrade, (socket) => socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]))); // no frame at all
    open(request(), (socket) => socket.write('\0'.repeat(100_000))); // goes on talking
    open(`${'A'.repeat(200_000)}\r\n\r\n`);
  }
  return () => sockets.forEach((socket) => socket.destroy());
};
