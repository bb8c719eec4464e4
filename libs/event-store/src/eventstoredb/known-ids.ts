const MOST = 100_000;

/**
 * The ids of the events at the beginning of streams, as far as they were seen. Events never change place, so this never grows stale,
 * only incomplete; a command has just read its stream when it appends, so an append finds here what it needs.
 */
export class KnownIds {
  private readonly streams = new Map<string, Known>();
  private count = 0;

  /** Up to which revision the stream is known; -1: nothing of it. */
  revisionOf(stream: string): bigint {
    return this.streams.get(stream)?.revision ?? -1n;
  }

  holds(stream: string, id: string): boolean {
    return this.streams.get(stream)?.ids.has(id) ?? false;
  }

  /** The ids of one revision after the other, from `from` on; undefined for an event that has none. What would leave a gap is passed over. */
  add(stream: string, from: bigint, ids: readonly (string | undefined)[]): void {
    const known = this.streams.get(stream) ?? { revision: -1n, ids: new Set() };
    if (ids.length === 0 || from > known.revision + 1n) return;
    const before = known.ids.size;
    for (const id of ids.slice(Number(known.revision + 1n - from))) {
      known.revision++;
      if (id !== undefined) known.ids.add(id);
    }
    this.count += known.ids.size - before;
    // Newest last.
    this.streams.delete(stream);
    this.streams.set(stream, known);
    this.forgetOldest(stream);
  }

  private forgetOldest(except: string): void {
    for (const [stream, { ids }] of this.streams) {
      if (this.count <= MOST || stream === except) return;
      this.streams.delete(stream);
      this.count -= ids.size;
    }
  }
}

type Known = { revision: bigint; readonly ids: Set<string> };
