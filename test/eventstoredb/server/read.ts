import { randomUUID } from 'node:crypto';
import type { ServerWritableStream } from '@grpc/grpc-js';
import { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Log, Stored } from './log.js';
import { faults, nameOf, notFound, readEvent } from './messages.js';

export type ReadCall = ServerWritableStream<ReadReq, ReadResp>;
type Options = ReadReq.Options;

/** Streams.Read: the one call behind reads of a stream and of $all, and subscriptions to both. `twice`: a subscription sends each event twice. */
export async function read(log: Log, call: ReadCall, twice: () => boolean): Promise<void> {
  const options = call.request.getOptions()!;
  const name = options.hasStream() ? nameOf(options.getStream()!.getStreamIdentifier()) : undefined;
  if (name !== undefined && log.isTombstoned(name)) throw faults.streamDeleted(name);
  if (options.hasSubscription()) return subscribe(log, call, options, name, twice);
  const events = name === undefined ? pageOfAll(log, options) : pageOfStream(log, options, name);
  if (events === undefined) {
    await send(call, notFound(name!));
    return void call.end();
  }
  for (const event of events) {
    if (call.cancelled) return;
    await send(call, readEvent(event));
  }
  call.end();
}

/** Enumerator.ReadStreamForwards and …Backwards: from a revision, inclusive. */
const pageOfStream = (log: Log, options: Options, name: string): readonly Stored[] | undefined => {
  const events = log.stream(name);
  if (events === undefined) return undefined;
  const from = options.getStream()!;
  const first = events[0]?.revision ?? 0n;
  const most = Number(options.getCount());
  if (options.getReadDirection() === ReadReq.Options.ReadDirection.BACKWARDS) {
    const end = from.hasEnd() ? events.length : from.hasStart() ? 0 : Number(BigInt(from.getRevision()) - first) + 1;
    return events.slice(0, Math.max(0, end)).reverse().slice(0, most);
  }
  const start = from.hasStart() ? 0 : from.hasEnd() ? events.length : Number(BigInt(from.getRevision()) - first);
  return events.slice(Math.max(0, start), Math.max(0, start) + most);
};

/** AllReader: forwards from a position, inclusive; backwards from before it. A filter is for the asking here; the client never asks. */
const pageOfAll = (log: Log, options: Options): readonly Stored[] => {
  const from = options.getAll()!;
  const filter = filterOf(options);
  const most = Number(options.getCount());
  const at = from.hasStart() ? 0 : from.hasEnd() ? log.all.length : log.indexOf(BigInt(from.getPosition()!.getCommitPosition()));
  if (at === undefined) throw faults.invalidPosition();
  if (options.getReadDirection() === ReadReq.Options.ReadDirection.BACKWARDS) {
    const events = log.all.slice(0, at).reverse();
    return (filter ? events.filter(filter.matches) : events).slice(0, most);
  }
  return filter ? log.all.slice(at).filter(filter.matches).slice(0, most) : log.all.slice(at, at + most);
};

/**
 * Enumerator.StreamSubscription, AllSubscription and AllSubscriptionFiltered: confirmation, then what lies after the position or
 * revision (exclusive), `caughtUp` at the end, then what is appended. With a filter, checkpoints every `max × multiplier` events looked at.
 */
const subscribe = async (log: Log, call: ReadCall, options: Options, name: string | undefined, twice: () => boolean): Promise<void> => {
  const filter = filterOf(options);
  const source = (): readonly Stored[] => (name === undefined ? log.all : (log.stream(name) ?? []));
  const wake = new EventTarget();
  const woken = (): void => void wake.dispatchEvent(new Event('more'));
  log.on('appended', woken);
  call.on('cancelled', woken);
  try {
    await send(call, confirmation());
    let next = startOf(log, options, source());
    let looked = 0;
    let checkpointed = -1n;
    const checkpoint = async ({ position }: Stored): Promise<void> => {
      if (position > checkpointed) await send(call, checkpointAt((checkpointed = position)));
    };
    for (let live = false; !call.cancelled;) {
      const events = source();
      for (; next < events.length && !call.cancelled; next++) {
        const event = events[next]!;
        if (!filter || filter.matches(event)) for (let times = twice() ? 2 : 1; times > 0; times--) await send(call, readEvent(event));
        if (filter && ++looked % filter.every === 0) await checkpoint(event);
      }
      if (name !== undefined && log.isTombstoned(name)) throw faults.streamDeleted(name);
      if (!live) {
        live = true;
        if (filter && next > 0) await checkpoint(events[next - 1]!);
        await send(call, caughtUp());
      }
      if (next >= source().length && !call.cancelled)
        await new Promise((resolve) => wake.addEventListener('more', resolve, { once: true }));
    }
  } finally {
    log.off('appended', woken);
  }
};

const startOf = (log: Log, options: Options, events: readonly Stored[]): number => {
  const from = options.hasAll() ? options.getAll()! : options.getStream()!;
  if (from.hasStart()) return 0;
  if (from.hasEnd()) return events.length;
  if ('getRevision' in from) return Number(BigInt(from.getRevision()) - (events[0]?.revision ?? 0n)) + 1;
  const position = BigInt(from.getPosition()!.getCommitPosition());
  const at = log.indexOf(position);
  if (at === undefined) throw faults.invalidPosition();
  return log.all[at]?.position === position ? at + 1 : at;
};

type Filter = Readonly<{ matches(event: Stored): boolean; every: number }>;
/** Streams.Read, ConvertToEventFilter: a regular expression wins over prefixes; without a window it is 32 (DefaultReadBatchSize). */
const filterOf = (options: Options): Filter | undefined => {
  if (!options.hasFilter()) return undefined;
  const filter = options.getFilter()!;
  const byType = filter.hasEventType();
  const expression = byType ? filter.getEventType()! : filter.getStreamIdentifier()!;
  const pattern = expression.getRegex() === '' ? undefined : new RegExp(expression.getRegex());
  const prefixes = expression.getPrefixList();
  return {
    matches: ({ type, stream }) => {
      const text = byType ? type : stream;
      return pattern ? pattern.test(text) : prefixes.some((prefix) => text.startsWith(prefix));
    },
    every: (filter.hasMax() ? filter.getMax() : 32) * filter.getCheckpointintervalmultiplier(),
  };
};

const confirmation = (): ReadResp => {
  const confirmed = new ReadResp.SubscriptionConfirmation();
  confirmed.setSubscriptionId(randomUUID());
  const answer = new ReadResp();
  answer.setConfirmation(confirmed);
  return answer;
};

const caughtUp = (): ReadResp => {
  const answer = new ReadResp();
  answer.setCaughtUp(new ReadResp.CaughtUp());
  return answer;
};

const checkpointAt = (position: bigint): ReadResp => {
  const checkpoint = new ReadResp.Checkpoint();
  checkpoint.setCommitPosition(position.toString());
  checkpoint.setPreparePosition(position.toString());
  const answer = new ReadResp();
  answer.setCheckpoint(checkpoint);
  return answer;
};

const send = async (call: ReadCall, answer: ReadResp): Promise<void> => {
  if (call.cancelled || call.write(answer)) return;
  await new Promise<void>((resolve) => {
    const go = () => {
      call.off('drain', go);
      call.off('cancelled', go);
      resolve();
    };
    call.once('drain', go);
    call.once('cancelled', go);
  });
};
