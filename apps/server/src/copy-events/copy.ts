import { createHash } from 'node:crypto';
import { digestOf, type Position, type Recorded } from '#libs/kernel';
import type { Place } from './places.js';

const PAGE = 1_000;
const SETTLING_MS = 500;
const HELD_BACK_MS = 60_000;

/** How many events a store holds, and SHA-256 over all of them: stream, revision, id, content hash and time of each, in the order of the store. */
export type Digest = Readonly<{ count: number; sha256: string }>;

/** Says what to do about it. */
export class CopyError extends Error {
  override name = 'CopyError';
}

/**
 * Brings `to` to hold the events of `from`, as they are and in their order. It goes on where an earlier run was interrupted: what `to` holds
 * already has to be the beginning of it, event for event. Answers how many were there and how many were copied.
 */
export async function copy(
  from: Place,
  to: Place,
  report: (copied: number) => void = () => undefined,
): Promise<Readonly<{ found: number; copied: number }>> {
  const there = eventsOf(to);
  let next = await there.next();
  let found = 0;
  let copied = 0;
  let page: Recorded[] = [];
  const write = async () => {
    if (page.length === 0) return;
    await to.write(page);
    copied += page.length;
    page = [];
    report(copied);
  };
  for await (const event of eventsOf(from)) {
    if (!next.done) {
      assertSame(event, next.value);
      found++;
      next = await there.next();
      continue;
    }
    assertIntact(event);
    page.push(event);
    if (page.length === PAGE) await write();
  }
  await write();
  if (!next.done) throw new CopyError(OTHER);
  return { found, copied };
}

/**
 * Reads both from the first event to the last. `pair` is called for each event with its position in the one and in the other. Throws CopyError
 * where they differ.
 */
export async function compare(
  from: Place,
  to: Place,
  pair: (event: Recorded, there: Position) => void = () => undefined,
): Promise<Readonly<{ from: Digest; to: Digest }>> {
  const [here, there] = [new Digesting(), new Digesting()];
  const others = eventsOf(to);
  for await (const event of eventsOf(from)) {
    const other = await others.next();
    if (other.done) throw new CopyError('The first store went on while it was copied. Stop every server, and run this again.');
    assertSame(event, other.value);
    here.add(event);
    there.add(other.value);
    pair(event, other.value.position);
  }
  if (!(await others.next()).done) throw new CopyError(OTHER);
  return { from: here.digest, to: there.digest };
}

const OTHER = 'The second store holds events that the first does not. Copy into an empty one, or into one that this began to fill.';

/**
 * All of them. Where nothing more was found for a while it is the end, unless newer ones are stored that may not be read yet: then it
 * waits until they may, and gives up in the end rather than leave any out.
 */
async function* eventsOf({ store, newest }: Place): AsyncGenerator<Recorded, undefined> {
  const leave = new AbortController();
  let after: Position | undefined;
  let found = performance.now();
  try {
    for await (const _ of store.changes(leave.signal)) {
      for (;;) {
        const { events, position } = await store.readAll(after, PAGE);
        yield* events;
        if (events.length > 0) found = performance.now();
        if (position === after) break;
        after = position;
      }
      const quiet = performance.now() - found;
      if (quiet <= SETTLING_MS) continue;
      const last = await newest();
      if (last === undefined || (after !== undefined && store.compare(after, last) >= 0)) return undefined;
      if (quiet > HELD_BACK_MS) throw new CopyError(HELD_BACK);
    }
    return undefined;
  } finally {
    leave.abort();
  }
}

const HELD_BACK =
  'A transaction that is still open in this PostgreSQL keeps the newest events back (select * from pg_stat_activity where backend_xid is not null). Let it end, and run this again.';

const lineOf = ({ stream, revision, id, meta, recordedAt }: Recorded): string =>
  `${stream}@${revision} ${id} ${meta.contentHash} ${recordedAt}\n`;

const assertSame = (event: Recorded, other: Recorded): void => {
  if (lineOf(event) !== lineOf(other))
    throw new CopyError(
      `${OTHER} They differ first in ${event.stream} at revision ${event.revision}, where there is ${other.stream} at ${other.revision}.`,
    );
};

const assertIntact = ({ stream, id, type, data, meta: { contentHash, ...meta } }: Recorded): void => {
  if (digestOf({ stream, id, type, data, meta }) !== contentHash)
    throw new CopyError(
      `The content is not the one that its hash names: event ${id} in ${stream} of the first store. Restore a backup of it.`,
    );
};

class Digesting {
  private count = 0;
  private readonly hash = createHash('sha256');

  add(event: Recorded): void {
    this.count++;
    this.hash.update(lineOf(event));
  }

  get digest(): Digest {
    return { count: this.count, sha256: this.hash.copy().digest('hex') };
  }
}
