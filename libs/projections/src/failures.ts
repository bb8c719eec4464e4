import { ConcurrencyError, DomainError, isTransient } from '#libs/kernel';
import { isUnavailable } from '#libs/postgres';

/** Whether the store, the database or the way to them is at fault, and not what was asked: to be tried again for as long as it takes. */
export const isOutage = (error: unknown): boolean => {
  if (error instanceof ConcurrencyError) return true;
  if (error instanceof DomainError) return isTransient(error);
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isOutage);
  const { code, type } = error as { code?: unknown; type?: unknown };
  if (isUnavailable(error) || (typeof code === 'string' && GIVEN_UP.test(code))) return true;
  return (typeof type === 'string' && STORE_ERRORS.has(type)) || isOutage(error.cause);
};

/** One line for a table or a metric; the stack belongs in the log. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).replaceAll('\0', '').slice(0, 1000);

/** 100, 200, 400, … ms, at most `cap`. */
export const backOff = (attempt: number, cap: number): number => Math.min(cap, 100 * 2 ** Math.min(attempt - 1, 20));

// SQLSTATE: rolled back (deadlock, serialization), out of resources, a lock not to be had, the operator's intervention, the system.
const GIVEN_UP = /^(40|53|57|58)[0-9A-Z]{3}$|^55P03$/;
// How the EventStoreDB client names what is no fault of the request.
const STORE_ERRORS = new Set(['unavailable', 'deadline-exceeded', 'cancelled', 'not-leader', 'timeout']);
