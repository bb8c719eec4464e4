/** Waits until `probe` gives something other than undefined, null or false; fails after `ms` with the last error or value. */
export const eventually = async <T>(probe: () => T | Promise<T>, ms = 10_000): Promise<NonNullable<Exclude<T, false>>> => {
  const end = Date.now() + ms;
  let last: unknown;
  for (;;) {
    try {
      const value = await probe();
      if (value !== undefined && value !== null && value !== false) return value as NonNullable<Exclude<T, false>>;
      last = value;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw last instanceof Error ? last : new Error(`Still ${String(last)} after ${ms} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
};
