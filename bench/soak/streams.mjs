import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** Below the 64 that one credential may hold open. */
const PER_CREDENTIAL = 60;
const AT_ONCE = 20;

/**
 * Opens so many live streams, each an operator's. `heard` is how many events all received, `ended` how many the server ended, and
 * `arrivals(text)` when (by performance.now()) each stream receives the first event that holds this text, once all did or `ms` passed.
 */
export const openStreams = async (url, operator, count) => {
  const streams = [];
  let closing = false;
  let ended = 0;
  for (let credential; streams.length < count;) {
    if (streams.length % PER_CREDENTIAL === 0) credential = await issue(operator, streams.length);
    const left = Math.min(AT_ONCE, count - streams.length, PER_CREDENTIAL - (streams.length % PER_CREDENTIAL));
    const opened = await Promise.all(Array.from({ length: left }, () => open(url, credential, () => closing || ended++)));
    streams.push(...opened);
  }
  return {
    count,
    heard: () => streams.reduce((sum, { heard }) => sum + heard, 0),
    least: () => Math.min(...streams.map(({ heard }) => heard)),
    most: () => Math.max(...streams.map(({ heard }) => heard)),
    ended: () => ended,
    async arrivals(text, ms = 30_000) {
      const times = () => streams.map(({ firsts }) => firsts.get(text)).filter((time) => time !== undefined);
      for (const end = Date.now() + ms; times().length < count && Date.now() < end;) await pause(20);
      return times();
    },
    watch: (kind) => streams.forEach((stream) => (stream.watched = kind)),
    close() {
      closing = true;
      for (const { outgoing } of streams) outgoing.destroy();
    },
  };
};

const issue = async (operator, nth) => {
  const issued = await operator.post('/api/credentials', { kind: 'human', name: `Watcher ${nth}`, roles: ['operator'] });
  return issued.credential;
};

/** A stream once it says `ready`. */
const open = (url, credential, onEnd) =>
  new Promise((resolve, reject) => {
    const outgoing = request(`${url}/api/events/stream`, { agent: false, headers: { authorization: `Bearer ${credential}` } });
    const stream = { outgoing, heard: 0, firsts: new Map(), watched: undefined };
    outgoing.on('error', reject).on('response', (response) => {
      if (response.statusCode !== 200) return reject(new Error(`A stream was answered ${response.statusCode}.`));
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (text) => {
        const frames = (rest + text).split('\n\n');
        rest = frames.pop();
        for (const frame of frames) hear(stream, frame, resolve);
      });
      response.on('error', () => undefined).on('close', onEnd);
    });
    outgoing.end();
  });

const hear = (stream, frame, ready) => {
  const event = /^event: (\w+)/m.exec(frame)?.[1];
  if (!event || event === 'snapshot') return;
  if (event === 'ready') return ready(stream);
  stream.heard++;
  if (event !== stream.watched) return;
  const id = /"confirmationId":"([^"]+)"/.exec(frame)?.[1];
  if (id && !stream.firsts.has(id)) stream.firsts.set(id, performance.now());
};
