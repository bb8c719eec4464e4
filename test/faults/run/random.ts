/** Choices that are the same for the same seed (mulberry32). */
export type Random = Readonly<{
  /** From 0 up to 1. */
  next(): number;
  /** A number from `least` up to `most`, whole. */
  between(least: number, most: number): number;
  pick<T>(from: readonly T[]): T;
  chance(of: number): boolean;
  shuffled<T>(from: readonly T[]): T[];
  /** Choices of its own, so that what runs beside does not change them. */
  fork(): Random;
}>;

export const randomFrom = (seed: number): Random => {
  const next = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (least: number, most: number) => Math.floor(least + next() * (most - least + 1));
  return {
    next,
    between,
    pick: (from) => from[between(0, from.length - 1)]!,
    chance: (of) => next() < of,
    shuffled: (from) => {
      const rest = [...from];
      return from.map(() => rest.splice(between(0, rest.length - 1), 1)[0]!);
    },
    fork: () => randomFrom(Math.floor(next() * 4_294_967_296)),
  };
};
