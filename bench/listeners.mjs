import { request } from 'node:http';

// node listeners.mjs <url>: a process full of live streams. Told `{open: {count, each, credentials}}` it opens so many more, `each` of them with
// one credential; told `{wait: confirmationId}` it answers when each of them heard of that card (milliseconds since 1970).
const url = process.argv[2];
const streams = [];
let heard = () => undefined;

const open = (credential) =>
  new Promise((resolve, reject) => {
    const outgoing = request(`${url}/api/events/stream`, { agent: false, headers: { authorization: `Bearer ${credential}` } });
    outgoing.on('error', reject).on('response', (response) => {
      if (response.statusCode !== 200) return reject(new Error(`A stream was answered ${response.statusCode}.`));
      let rest = '';
      const stream = { firsts: new Map() };
      streams.push(stream);
      response.setEncoding('utf8').on('data', (text) => {
        const frames = (rest + text).split('\n\n');
        rest = frames.pop();
        for (const frame of frames) {
          if (/^event: ready/m.test(frame)) resolve();
          if (/^event: snapshot/m.test(frame)) continue;
          const id = /"confirmationId":"([^"]+)"/.exec(frame)?.[1];
          if (id && !stream.firsts.has(id)) stream.firsts.set(id, performance.timeOrigin + performance.now());
        }
        heard();
      });
    });
    outgoing.end();
  });

process.on('message', async ({ open: wish, wait }) => {
  if (wish) {
    for (let done = 0; done < wish.count;) {
      const some = Math.min(20, wish.count - done, wish.each - (done % wish.each));
      const credential = wish.credentials[Math.floor(done / wish.each)];
      await Promise.all(Array.from({ length: some }, () => open(credential)));
      done += some;
    }
    process.send('open');
  }
  if (wait)
    await new Promise((resolve) => {
      heard = () => {
        if (!streams.every(({ firsts }) => firsts.has(wait))) return;
        heard = () => undefined;
        process.send(streams.map(({ firsts }) => firsts.get(wait)));
        resolve();
      };
      heard();
    });
});
process.on('disconnect', () => process.exit(0));
