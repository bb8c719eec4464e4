/**
 * Whether an error says that something we depend on does not answer right now, so that a retry may well work: sockets,
 * the connection pool, and PostgreSQL's own codes for shutting down, starting up, too many connections, deadlock and
 * serialization.
 */
export const isUnavailable = (error: unknown, depth = 0): boolean => {
  if (!(error instanceof Error) || depth > 5) return false;
  const { code, syscall, driverError, cause, errors } = error as Error &
    Readonly<Record<'code' | 'syscall' | 'driverError' | 'cause' | 'errors', unknown>>;
  if (typeof code === 'string' && (SOCKET_CODES.has(code) || SQL_STATE.test(code))) return true;
  if (code === 'ENOENT' && syscall === 'connect') return true;
  if (MESSAGES.test(error.message)) return true;
  return [driverError, cause, ...(Array.isArray(errors) ? (errors as unknown[]) : [])].some((inner) => isUnavailable(inner, depth + 1));
};

const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const SQL_STATE = /^(08...|53[0-4]00|57P0[1-5]|57014|55P03|40001|40P01)$/;
// pg and pg-pool say these without a code.
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end|Client was closed|Connection is not established|Connection with .* is not established|Query read timeout|Driver not Connected)/i;
