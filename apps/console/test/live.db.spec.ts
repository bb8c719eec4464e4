import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { follow, type Connection } from '../src/live.js';

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe('The live feed', () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  /** Follows a server that answers each connection, in turn, as told. */
  const following = async (answers: ((response: ServerResponse) => void)[], silenceMs = 100) => {
    let connections = 0;
    const server = createServer((_, response) => answers[Math.min(connections++, answers.length - 1)]!(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const said: Connection[] = [];
    const events: [string, unknown][] = [];
    const feed = follow(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      { event: (type, data) => events.push([type, data]), connection: (connection) => said.push(connection) },
      { silenceMs, firstRetryMs: 5 },
    );
    closing.push(() => {
      feed.stop();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    });
    return { said, events, states: () => said.map(({ state }) => state), connections: () => connections };
  };
  const open = (response: ServerResponse, text: string): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text);
  };
  const READY = 'event: snapshot\ndata: {"confirmations":[],"tasks":[]}\n\nevent: ready\ndata: {}\n\n';
  const ready = (response: ServerResponse): void => open(response, READY);

  it('is live from ready on, and hands on each event', async () => {
    const feed = await following([(response) => open(response, `${READY}event: card\ndata: {"card":"\u2028é"}\n\n`)], 5000);
    await until(() => feed.events.length === 2);
    expect(feed.events[1]).toEqual(['card', { card: '\u2028é' }]);
    expect(feed.states()).toEqual(['connecting', 'live']);
  });

  it('counts as lost when it falls silent, and is taken up again', async () => {
    const feed = await following([ready]);
    await until(() => feed.states().filter((state) => state === 'live').length >= 2);
    const states = feed.states();
    expect(states[states.indexOf('live') + 1]).toBe('lost');
  });

  it('lives on heartbeats alone', async () => {
    let beats = 0;
    const beating = (response: ServerResponse): void => {
      ready(response);
      const beat = setInterval(() => void (beats++, response.write(': still here\n\n')), 50);
      response.on('close', () => clearInterval(beat));
    };
    // More beats than fit into one silence.
    const feed = await following([beating], 1500);
    await until(() => beats > 40);
    expect(feed.states()).toEqual(['connecting', 'live']);
  });

  it('says why the server ended it, which the end itself does not', async () => {
    const reason = '{"code":"stream/slow","detail":"This reader fell behind."}';
    const feed = await following(
      [(response) => open(response, `${READY}event: error\ndata: ${reason}\n\nevent: stream_end\ndata: {}\n\n`), ready],
      5000,
    );
    await until(() => feed.states().filter((state) => state === 'live').length === 2);
    expect(feed.said[2]).toMatchObject({ state: 'lost', why: 'This reader fell behind.' });
  });

  it('keeps trying while the server fails, and stops when the session is over', async () => {
    const feed = await following(
      [
        (response) => void response.writeHead(503).end(),
        (response) => void response.socket?.destroy(),
        (response) => void response.writeHead(401).end(),
      ],
      5000,
    );
    await until(() => feed.states().includes('signed-out'));
    expect(feed.states()).toEqual(['connecting', 'lost', 'lost', 'signed-out']);
    expect(feed.said[1]).toMatchObject({ why: 'The server answered 503.' });
    expect(feed.connections()).toBe(3);
  });
});
