import { DomainError, refusal } from '#libs/kernel';
import { requestContext, type RequestContext } from './request-context.js';

/** What a request holds while the server works for it. */
export type Place = Readonly<{
  /** Gives it to the next; false where there is no room left to wait beside. */
  stepAside(): boolean;
  /** Takes one again, also past the limit: who was let in is not turned away. */
  stepBack(): void;
  /** Gives it back for good. Again and again does nothing. */
  leave(): void;
}>;

const places = new WeakMap<RequestContext, Place>();

export const holdPlace = (place: Place): void => {
  const context = requestContext();
  if (context) places.set(context, place);
};

/** The request takes no more of the server's work: an open stream only listens. */
export const leavePlace = (): void => {
  const context = requestContext();
  if (context) places.get(context)?.leave();
};

/**
 * Waits for something that others do (work that comes, a person, read models) without a place: long polls may be many, and those
 * who work must not wait for them. 503 `server/busy` where too many wait already. Outside of a request it only waits.
 */
export const standAside = async <T>(wait: () => Promise<T>): Promise<T> => {
  const context = requestContext();
  const place = context && places.get(context);
  if (place && !place.stepAside()) throw busy('As many requests wait here as this server can hold. Ask again in a moment.');
  try {
    return await wait();
  } finally {
    place?.stepBack();
  }
};

/** 503 with a moment to wait that differs from one request to the next, so that those who were refused together come back apart. */
export const busy = (detail: string): DomainError =>
  new DomainError(refusal('unavailable', 'server/busy', detail, { retryAfter: 1 + Math.floor(Math.random() * 3) }));
