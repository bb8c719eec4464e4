import { Pace, UNHURRIED_MS } from './pace.js';

const signal = new AbortController().signal;
/** Whether the next look comes before a timer that is far shorter than the pause. */
const atOnce = (look: Promise<void>) =>
  Promise.race([look.then(() => true), new Promise((resolve) => setTimeout(() => resolve(false), UNHURRIED_MS / 5))]);

describe('A look at the store', () => {
  it('comes at once where none came right before', async () => {
    expect(await atOnce(new Pace().next(signal))).toBe(true);
  });

  it('is put off after another while nobody waits', async () => {
    const pace = new Pace();
    await pace.next(signal);
    const second = pace.next(signal);
    expect(await atOnce(second)).toBe(false);
    await second;
  });

  it('comes at once while somebody waits, and is put off again when all have gone', async () => {
    const pace = new Pace();
    const [leave, leaveToo] = [pace.hurry(), pace.hurry()];
    leave();
    leave();
    for (let look = 0; look < 3; look++) expect(await atOnce(pace.next(signal))).toBe(true);
    leaveToo();
    expect(await atOnce(pace.next(signal))).toBe(false);
  });

  it('that is put off comes as soon as somebody waits', async () => {
    const pace = new Pace();
    await pace.next(signal);
    const second = pace.next(signal);
    pace.hurry();
    expect(await atOnce(second)).toBe(true);
  });

  it('is not waited for by who ends', async () => {
    const pace = new Pace();
    const ending = new AbortController();
    await pace.next(ending.signal);
    const second = pace.next(ending.signal);
    ending.abort();
    expect(await atOnce(second)).toBe(true);
  });
});
