import { useEffect, useState } from 'preact/hooks';

// Deadlines are the server's: a wrong clock on this device must not show time left where there is none.
let offset = 0;
export const now = (): number => Date.now() + offset;

/** Learns the server's clock from a `Date` header, which has whole seconds: a smaller difference means nothing. */
export const noteServerTime = (date: string | null, sentAt: number): void => {
  const server = date ? Date.parse(date) : NaN;
  if (Number.isNaN(server)) return;
  const difference = server + 500 - (sentAt + Date.now()) / 2;
  offset = Math.abs(difference) > 2000 ? difference : 0;
};

const tickers = new Set<() => void>();
let ticking: ReturnType<typeof setInterval> | undefined;

/** The time now, renewed every second. */
export const useNow = (): number => {
  const [time, setTime] = useState(now);
  useEffect(() => {
    const tick = (): void => setTime(now());
    tickers.add(tick);
    ticking ??= setInterval(() => tickers.forEach((each) => each()), 1000);
    return () => {
      tickers.delete(tick);
      if (tickers.size > 0) return;
      clearInterval(ticking);
      ticking = undefined;
    };
  }, []);
  return time;
};
