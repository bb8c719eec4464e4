import { noteServerTime } from './clock.js';
import { sseReader } from './sse.js';

export type Connection =
  { state: 'connecting' } | { state: 'live' } | { state: 'lost'; since: number; retryAt: number; why?: string } | { state: 'signed-out' };

type Listener = { event(type: string, data: unknown): void; connection(connection: Connection): void };
type Options = { silenceMs?: number; firstRetryMs?: number };

/**
 * Follows a feed for as long as it is wanted, and says at any time whether it is live. Read with fetch and not EventSource,
 * which hides heartbeats and statuses: here a feed gone silent counts as lost, and an ended session is told apart from a
 * server that is away. Each connection begins with a snapshot, so nothing is resumed and nothing can be missed.
 */
export const follow = (url: string, listener: Listener, { silenceMs = 40_000, firstRetryMs = 1000 }: Options = {}) => {
  const stopped = new AbortController();
  let wake = (): void => undefined;
  let lostAt: number | undefined;
  let failures = 0;
  let why: string | undefined;

  const connectOnce = async (): Promise<'over' | 'signed-out'> => {
    const cut = new AbortController();
    const signal = AbortSignal.any([cut.signal, stopped.signal]);
    let silence = setTimeout(() => cut.abort(), silenceMs);
    try {
      const sentAt = Date.now();
      const response = await fetch(url, { headers: { Accept: 'text/event-stream' }, cache: 'no-store', signal });
      if (response.status === 401) return 'signed-out';
      if (!response.ok || !response.body) {
        why = `The server answered ${response.status}.`;
        return 'over';
      }
      noteServerTime(response.headers.get('date'), sentAt);
      const read = sseReader();
      const decoder = new TextDecoder();
      for await (const bytes of response.body) {
        clearTimeout(silence);
        silence = setTimeout(() => cut.abort(), silenceMs);
        for (const { type, data } of read(decoder.decode(bytes, { stream: true }))) {
          if (type === 'error') why = reasonIn(data);
          else if (type === 'stream_end') return 'over';
          else if (type === 'ready') becomeLive();
          else listener.event(type, JSON.parse(data));
        }
      }
      return 'over';
    } catch {
      return 'over';
    } finally {
      clearTimeout(silence);
      cut.abort();
    }
  };

  const becomeLive = (): void => {
    failures = 0;
    lostAt = undefined;
    why = undefined;
    listener.connection({ state: 'live' });
  };

  const run = async (): Promise<void> => {
    listener.connection({ state: 'connecting' });
    while (!stopped.signal.aborted) {
      const ended = await connectOnce();
      if (stopped.signal.aborted) return;
      if (ended === 'signed-out') return listener.connection({ state: 'signed-out' });
      lostAt ??= Date.now();
      const wait = Math.min(firstRetryMs * 2 ** failures++, 15_000) * (0.8 + Math.random() * 0.4);
      listener.connection({ state: 'lost', since: lostAt, retryAt: Date.now() + wait, why });
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, wait);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };

  void run();
  return {
    retryNow: (): void => wake(),
    stop: (): void => {
      stopped.abort();
      wake();
    },
  };
};

const reasonIn = (data: string): string | undefined => {
  try {
    const { detail } = JSON.parse(data) as { detail?: unknown };
    return typeof detail === 'string' ? detail : undefined;
  } catch {
    return undefined;
  }
};
