import { setMaxListeners } from 'node:events';
import { Doorbell } from '#libs/kernel';

/** Resolves after `ms`, or as soon as the signal aborts. */
export const pause = (ms: number, signal: AbortSignal = NEVER): Promise<void> => new Doorbell().wait(0, ms, signal);

/** Whether the work ends, well or not, within `ms`. It goes on if not. */
export const endsWithin = async (work: Promise<unknown>, ms: number): Promise<boolean> => {
  const over = new AbortController();
  const ended = work.then(
    () => true,
    () => true,
  );
  const late = pause(ms, over.signal).then(() => false);
  return Promise.race([ended, late]).finally(() => over.abort());
};

/** A signal that any number of loops and waiters listen to: Node takes more than ten for a leak. */
export const heardByMany = <T extends AbortSignal>(signal: T): T => {
  setMaxListeners(0, signal);
  return signal;
};

const NEVER = heardByMany(new AbortController().signal);
