import { Logger } from '@nestjs/common';
import type { RawData, WebSocket } from 'ws';
import { DomainError, type Principal } from '#libs/kernel';
import type { PermissionEntry } from '../requests/entry.js';
import type { OwnerDecision } from '../requests/owner-decisions.js';
import { frameOf, readFrame } from './frame.js';

/** What a socket needs of the product: the owner's requests from now on, and a way to decide. */
export type SocketWork = Readonly<{
  now(): number;
  decide(decision: OwnerDecision): Promise<void>;
}>;

/** A client that lets so much pile up is cut off; it connects again and gets what is pending. */
const CAP_BYTES = 1_048_576;
/** Messages of one client that may wait for their turn. */
const MOST_WAITING = 50;

/** One client's socket. Its messages are answered one after the other. */
export class PermissionSocket {
  private readonly logger = new Logger('PermissionSocket');
  private readonly closed = new AbortController();
  private turn: Promise<void> = Promise.resolve();
  private waiting = 0;
  private alive = true;

  constructor(
    private readonly socket: WebSocket,
    readonly principal: Principal,
    private readonly work: SocketWork,
  ) {
    socket.on('message', (data, isBinary) => this.take(data, isBinary));
    socket.on('pong', () => (this.alive = true));
    socket.on('close', () => this.closed.abort());
    // A client that resets its connection, or breaks the protocol, is no fault of ours: 'close' follows.
    socket.on('error', () => undefined);
  }

  /** Aborts once nothing more is to be sent. */
  get signal(): AbortSignal {
    return this.closed.signal;
  }

  send(type: string, data: object): void {
    if (this.closed.signal.aborted || this.socket.readyState !== this.socket.OPEN) return;
    this.socket.send(frameOf(type, data));
    if (this.socket.bufferedAmount > CAP_BYTES) this.socket.terminate();
  }

  request(entry: PermissionEntry): void {
    this.send('permission_request', entry);
  }

  /** Tells the client that the server lives, and finds out whether the client does. */
  beat(): void {
    if (!this.alive) return this.socket.terminate();
    this.alive = false;
    this.socket.ping();
    this.send('heartbeat', { timestamp: this.work.now() });
  }

  close(code: number, reason: string): void {
    this.closed.abort();
    this.socket.close(code, reason);
  }

  terminate(): void {
    this.socket.terminate();
  }

  private take(data: RawData, isBinary: boolean): void {
    if (++this.waiting > MOST_WAITING) return this.close(1008, 'Too many messages at once.');
    this.turn = this.turn.then(() => this.answer(data as Buffer, isBinary)).finally(() => this.waiting--);
  }

  private async answer(bytes: Buffer, isBinary: boolean): Promise<void> {
    if (this.closed.signal.aborted) return;
    const frame = await readFrame(bytes, isBinary);
    if ('fault' in frame) return this.send('error', { message: frame.fault });
    if (frame.type === 'ping') return this.send('pong', { timestamp: this.work.now() });
    const { requestId, decision } = frame.data;
    try {
      await this.work.decide(frame.data);
      this.send('decision_ack', { requestId, decision, timestamp: this.work.now() });
    } catch (error) {
      if (!(error instanceof DomainError)) this.logger.error(error instanceof Error ? error : new Error(String(error)));
      const { code, detail } =
        error instanceof DomainError
          ? error.refusal
          : { code: 'server/unavailable', detail: 'It could not be decided right now. Send it again.' };
      this.send('error', { message: detail, code, requestId });
    }
  }
}
