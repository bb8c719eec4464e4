import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { eventually } from './eventually.js';
import type { Client } from './client.js';

export type Heard = Readonly<{ event: string; id: string | undefined; data: any }>;

/** A live feed as bytes come: it can be left unread, which no EventSource can. */
export type OpenStream = Readonly<{
  status: number;
  headers: IncomingMessage['headers'];
  heard: readonly Heard[];
  /** Stops reading from the socket, so that the server's buffer fills. */
  stall(): void;
  ended(): boolean;
  close(): void;
}>;

export async function openStream(client: Client, lastEventId?: string): Promise<OpenStream> {
  const heard: Heard[] = [];
  let ended = false;
  const outgoing: ClientRequest = request(`${client.url}/api/events/stream`, {
    agent: false,
    headers: { authorization: `Bearer ${client.credential}`, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
  });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve).once('error', reject).end();
  });
  outgoing.on('error', () => (ended = true));
  response.setEncoding('utf8');
  let rest = '';
  response.on('data', (text: string) => {
    const frames = (rest + text).split('\n\n');
    rest = frames.pop()!;
    for (const frame of frames) {
      const fields = new Map(frame.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
      const [event, data] = [fields.get('event'), fields.get('data')];
      if (event !== undefined && data !== undefined) heard.push({ event, id: fields.get('id'), data: JSON.parse(data) });
    }
  });
  response.on('close', () => (ended = true)).on('error', () => (ended = true));
  return {
    status: response.statusCode!,
    headers: response.headers,
    heard,
    stall: () => void response.pause(),
    ended: () => ended,
    close: () => void outgoing.destroy(),
  };
}

/** The newest event of this name, once there is one. */
export const lastOf = ({ heard }: Pick<OpenStream, 'heard'>, event: string): Promise<Heard> =>
  eventually(() => heard.findLast((one) => one.event === event), 30_000);
