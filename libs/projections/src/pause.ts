import { setMaxListeners } from 'node:events';
import { Doorbell } from '#libs/kernel';

/** Resolves after `ms`, or as soon as the signal aborts. */
export const pause = (ms: number, signal: AbortSignal = NEVER): Promise<void> => new Doorbell().wait(0, ms, signal);

/** A signal that any number of loops and waiters listen to: Node takes more than ten for a leak. */
export const heardByMany = <T extends AbortSignal>(signal: T): T => {
  setMaxListeners(0, signal);
  return signal;
};

const NEVER = heardByMany(new AbortController().signal);
