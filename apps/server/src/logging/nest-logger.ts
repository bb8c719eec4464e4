import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Nest's own account of its start: some hundred lines that nobody reads unless something is wrong. */
const START = new Set(['InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestFactory', 'NestApplication']);

/** What Nest and our own `new Logger(name)` say, as lines of the log. */
export class NestLogger implements LoggerService {
  constructor(private readonly log_: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write('info', message, rest);
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }
  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }
  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }
  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  /** Nest passes the name last, and a stack before it where it has one. */
  private write(level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal', message: unknown, rest: unknown[]): void {
    const name = rest.length > 0 && typeof rest.at(-1) === 'string' ? (rest.at(-1) as string) : undefined;
    const others = name === undefined ? rest : rest.slice(0, -1);
    const error = [message, ...others].find((one) => one instanceof Error);
    const stack = others.find((one) => typeof one === 'string' && one.includes('\n    at '));
    const quieter = level === 'info' && name !== undefined && START.has(name) ? 'debug' : level;
    this.log_[quieter](
      { ...(name !== undefined && { name }), ...(error && { err: error }), ...(!error && stack !== undefined && { stack }) },
      message instanceof Error ? message.message : typeof message === 'string' ? message : JSON.stringify(message),
    );
  }
}
