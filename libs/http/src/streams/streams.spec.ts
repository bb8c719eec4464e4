import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { EventSource } from 'eventsource';
import fc from 'fast-check';
import { eventually } from '../../../../test/support/eventually.js';
import { openStreams, startSample } from '../../../../test/support/sample-app.js';
import { EventStreams, lastEventIdOf, STREAM_LIMITS } from './event-streams.js';
import { eventFrame } from './frame.js';
import type { SseStream } from './sse-stream.js';

type Running = Awaited<ReturnType<typeof startSample>>;
type Received = { event: string; data: unknown; id: string };

const EVENTS = ['ready', 'change', 'done', 'stream_end', 'error'];

// Sockets and servers on a busy machine: the conditions are what is tested, not the time.
jest.setTimeout(30_000);

describe('A stream of events', () => {
  let sample: Running;
  let streams: EventStreams;
  const sources: EventSource[] = [];
  const sockets: Socket[] = [];

  const start = async (limits: Partial<typeof STREAM_LIMITS> = {}) => {
    sample = await startSample({ streams: { ...STREAM_LIMITS, ...limits } });
    streams = sample.app.get(EventStreams);
  };
  beforeEach(() => void openStreams.splice(0));
  afterEach(async () => {
    for (const source of sources.splice(0)) source.close();
    for (const socket of sockets.splice(0)) socket.destroy();
    await sample.app.close();
  });

  const opened = (count = 1): Promise<SseStream> => eventually(() => openStreams.length >= count && openStreams[count - 1]);
  /** A real client; what the server says by `error` events and what the client itself finds wrong arrive under one name there. */
  const listen = (path = '/api/stream', credential = 'Bearer ann') => {
    const received: Received[] = [];
    const source = new EventSource(sample.url + path, {
      fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, authorization: credential } }),
    });
    sources.push(source);
    for (const name of EVENTS)
      source.addEventListener(name, (message) => {
        if ('data' in message) received.push({ event: name, data: JSON.parse(message.data as string), id: message.lastEventId });
      });
    return { source, received };
  };
  const open = async (headers = ''): Promise<Socket> => {
    const socket = connect(Number(new URL(sample.url).port), '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(`GET /api/stream HTTP/1.1\r\nhost: x\r\n${headers}\r\n`);
    return socket;
  };

  it('says what it is, and nothing on the way may hold it back or change it', async () => {
    await start();
    const answer = await fetch(`${sample.url}/api/stream`, { headers: { 'accept-encoding': 'gzip' } });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String) as string,
    });
    expect(answer.headers.get('content-encoding')).toBeNull();
    await answer.body!.cancel();
    await eventually(() => streams.size === 0);
  });

  it('brings any text to a real client, with the id to resume after', async () => {
    await start();
    const { received } = listen();
    const stream = await opened();
    const texts = ['a\r\nb', '\n\ndata: forged\n\n', '\u2028\u2029\u0085', '😀 ünï', ': comment', 'id: 7', '\0', '﻿bom', '\\n'];
    texts.forEach((text, index) => stream.send('change', { text }, String(index + 1)));
    stream.send('change', { revision: 9007199254740993n });
    await eventually(() => received.length === texts.length + 2);
    expect(received.slice(1)).toEqual([
      ...texts.map((text, index) => ({ event: 'change', data: { text }, id: String(index + 1) })),
      expect.objectContaining({ data: { revision: '9007199254740993' } }),
    ]);
  });

  it('is one line of data whatever the data is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.bigInt({ min: 0n, max: 2n ** 63n }), (data, id) => {
        const lines = eventFrame('change', data, id.toString()).split(/\r\n|\r|\n/);
        expect(lines).toHaveLength(5);
        expect(JSON.parse(lines[2]!.slice('data: '.length))).toEqual(JSON.parse(JSON.stringify(data)));
      }),
    );
    expect(() => eventFrame('a\nb', {})).toThrow();
    expect(() => eventFrame('a', {}, '1\n2')).toThrow();
  });

  it('ends with done and stream_end, or with the reason and stream_end', async () => {
    await start();
    const first = listen();
    (await opened()).done({ turns: 2 });
    await eventually(() => first.received.at(-1)?.event === 'stream_end');
    expect(first.received.slice(1).map(({ event, data }) => [event, data])).toEqual([
      ['done', { turns: 2 }],
      ['stream_end', {}],
    ]);
    first.source.close();

    openStreams.splice(0);
    const second = listen();
    const stream = await opened();
    stream.fail({ code: 'feed/lost', detail: 'Connect again.' });
    await eventually(() => second.received.some(({ event }) => event === 'stream_end'));
    expect(
      second.received
        .slice(1)
        .map(({ event, data }) => [event, data])
        .slice(0, 2),
    ).toEqual([
      ['error', { code: 'feed/lost', detail: 'Connect again.' }],
      ['stream_end', {}],
    ]);
    expect([stream.send('change', {}), stream.signal.aborted]).toEqual([false, true]);
    stream.end();
    stream.done();
  });

  it('is resumed by the client after the last event that it saw', async () => {
    await start();
    const { received } = listen();
    (await opened()).send('change', {}, '41');
    await eventually(() => received.length === 2);
    openStreams[0]!.end();
    await eventually(() => received.filter(({ event }) => event === 'ready').length === 2, 15_000);
    expect(received.at(-1)).toMatchObject({ event: 'ready', data: { from: '41' } });
  });

  it.each(['x', '-1', '9223372036854775808', '1 2'])('is not resumed after %j', async (value) => {
    await start();
    for (const answer of [
      await fetch(`${sample.url}/api/stream`, { headers: { 'last-event-id': value } }),
      await fetch(`${sample.url}/api/stream?lastEventId=${encodeURIComponent(value)}`),
    ])
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([422, 'request/invalid']);
  });
  it('may name the event to resume after in the query, and an empty header is none', () => {
    expect(lastEventIdOf({ headers: {}, query: { lastEventId: '7' } })).toBe('7');
    expect(lastEventIdOf({ headers: { 'last-event-id': '' } })).toBeUndefined();
    expect(lastEventIdOf({ headers: {} })).toBeUndefined();
  });

  it('beats while nothing happens', async () => {
    await start({ heartbeatMs: 20 });
    const socket = await open();
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    await eventually(() => (text.match(/^: keep-alive$/gm) ?? []).length >= 3);
  });

  it('cuts off a client that does not read, and nobody else', async () => {
    await start({ capBytes: 256_000 });
    const stalled = await open();
    stalled.pause();
    const slow = await opened();
    const { received } = listen('/api/stream', 'Bearer ben');
    const fast = await opened(2);
    const text = 'x'.repeat(10_000);
    let sent = 0;
    while (slow.send('change', { text })) {
      sent++;
      fast.send('change', { sent });
      await new Promise(setImmediate);
    }
    expect(sent).toBeGreaterThan(20);
    await eventually(() => streams.size === 1);
    fast.send('change', { last: true });
    await eventually(() => (received.at(-1)?.data as { last?: boolean }).last);
  });

  it('holds back a big snapshot until its client has read, whatever the snapshot weighs', async () => {
    await start({ capBytes: 300_000 });
    const { received } = listen();
    const stream = await opened();
    for (let part = 0; part < 200; part++) {
      expect(stream.send('change', { part, text: 'x'.repeat(100_000) })).toBe(true);
      await stream.drained();
    }
    stream.done();
    await eventually(() => received.at(-1)?.event === 'stream_end');
    expect(received).toHaveLength(203);
  });

  it('cuts off a client that is gone without a word, at the second heartbeat that it does not take', async () => {
    await start({ heartbeatMs: 30, capBytes: 64_000_000 });
    const stalled = await open();
    stalled.pause();
    const stream = await opened();
    stream.send('change', 'x'.repeat(16_000_000));
    let freed = false;
    void stream.drained().then(() => (freed = true));
    await eventually(() => stream.signal.aborted);
    await eventually(() => freed);
    expect(streams.size).toBe(0);
  });

  it('is refused past the limit of its credential or of the server, and again possible when one has ended', async () => {
    await start({ perCredential: 2, overall: 3 });
    const status = async (credential: string) => {
      const answer = await fetch(`${sample.url}/api/stream`, { headers: { authorization: credential } });
      if (answer.status === 200) return { status: 200, code: '', body: answer.body! };
      expect(answer.headers.get('retry-after')).toBe('5');
      return { status: answer.status, code: ((await answer.json()) as { code: string }).code, body: undefined };
    };
    const first = await status('ann');
    expect(first.status).toBe(200);
    expect((await status('ann')).status).toBe(200);
    expect(await status('ann')).toMatchObject({ status: 429, code: 'stream/too-many' });
    expect((await status('ben')).status).toBe(200);
    expect(await status('eva')).toMatchObject({ status: 503, code: 'stream/full' });
    await first.body!.cancel();
    await eventually(() => streams.size === 2);
    expect((await status('eva')).status).toBe(200);
  });

  it('ends at once, with the reason, when its credential is revoked', async () => {
    await start();
    const ann = listen('/api/stream', 'Bearer ann');
    await opened(1);
    const ben = listen('/api/stream', 'Bearer ben');
    await opened(2);
    expect(streams.credentials()).toEqual(new Set(['Bearer ann', 'Bearer ben']));
    streams.closeFor('Bearer ann', { code: 'credential/revoked', detail: 'Ask for a new one.' });
    await eventually(() => ann.received.some(({ event }) => event === 'stream_end'));
    expect(ann.received.find(({ event }) => event === 'error')?.data).toMatchObject({ code: 'credential/revoked' });
    expect(ben.received.map(({ event }) => event)).toEqual(['ready']);
  });

  it('has a head without a body', async () => {
    await start();
    const answer = await fetch(`${sample.url}/api/stream`, { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([200, 'text/event-stream', '']);
    await eventually(() => streams.size === 0);
  });

  it('holds a thousand clients and tells them all', async () => {
    await start({ perCredential: 1_000 });
    let ready = 0;
    let told = 0;
    for (let client = 0; client < 1_000; client++) {
      const socket = connect(Number(new URL(sample.url).port), '127.0.0.1');
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        const text = chunk.toString('latin1');
        if (text.includes('event: ready')) ready++;
        if (text.includes('event: change')) told++;
      });
      socket.write('GET /api/stream HTTP/1.1\r\nhost: x\r\n\r\n');
    }
    await eventually(() => ready === 1_000 && streams.size === 1_000);
    const frame = eventFrame('change', { card: 1 }, '1');
    for (const stream of openStreams) stream.write(frame);
    await eventually(() => told === 1_000);
  });
});
