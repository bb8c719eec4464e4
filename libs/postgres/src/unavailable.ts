import { DomainError, refusal } from '#libs/kernel';

/** Whether the database could not be reached or gave up, so that the same again may succeed; the outcome of a commit is then unknown. */
export const isUnavailable = (error: unknown): boolean => {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return CODES.test(code) || MESSAGES.test(message);
};

/** Turns such a failure into DomainError unavailable `database/unavailable` (503); all others pass through. */
export async function answerUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError || !isUnavailable(error)) throw error;
    throw unavailable(error);
  }
}

export const unavailable = (cause: unknown): DomainError =>
  Object.assign(
    new DomainError(refusal('unavailable', 'database/unavailable', 'The database does not answer right now. Try again in a moment.')),
    { cause },
  );

/** Connection exceptions, too many connections, shutdown and restart, cancelled by a timeout; and what sockets say. */
const CODES = /^(08...|53300|57P0[1-5]|57014|25P0[34]|ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT)$/;
/** pg gives these no code. */
const MESSAGES =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Query read timeout|Cannot use a pool after calling end)/;
