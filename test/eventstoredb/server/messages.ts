import { Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { Empty, StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb.js';
import { type AppendReq, type BatchAppendReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Expected, Proposed, Stored } from './log.js';

// 64-bit numbers travel as strings (jstype = JS_STRING), bytes as Uint8Array through the `_asU8` getters only.

export const nameOf = (identifier: StreamIdentifier | undefined): string => Buffer.from(identifier!.getStreamName_asU8()).toString('utf8');

export const identifierOf = (name: string): StreamIdentifier => {
  const identifier = new StreamIdentifier();
  identifier.setStreamName(Uint8Array.from(Buffer.from(name)));
  return identifier;
};

export const uuidOf = (text: string): UUID => {
  const uuid = new UUID();
  uuid.setString(text);
  return uuid;
};

type Options = { hasAny(): boolean; hasNoStream(): boolean; hasStreamExists(): boolean };
export const expectedOf = (options: Options, revision: () => string): Expected =>
  options.hasAny() ? 'any' : options.hasNoStream() ? 'no stream' : options.hasStreamExists() ? 'stream exists' : BigInt(revision());

/** Which of the `expected…` fields of an answer says what was asked for. */
export const setExpected = (
  to: {
    setExpectedAny(value: never): unknown;
    setExpectedNoStream(value: never): unknown;
    setExpectedStreamExists(value: never): unknown;
  },
  expected: Expected,
  empty: unknown,
  setRevision: (revision: string) => void,
): void => {
  if (expected === 'any') to.setExpectedAny(empty as never);
  else if (expected === 'no stream') to.setExpectedNoStream(empty as never);
  else if (expected === 'stream exists') to.setExpectedStreamExists(empty as never);
  else setRevision(expected.toString());
};

/** Streams.Append and Streams.BatchAppend: type and content type are required metadata. */
export const proposedOf = (message: AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage): Proposed => {
  const metadata = message.getMetadataMap();
  return {
    id: message.getId()!.getString().toLowerCase(),
    type: metadata.get('type')!,
    contentType: metadata.get('content-type')!,
    data: message.getData_asU8(),
    meta: message.getCustomMetadata_asU8(),
  };
};

/** Event.SizeOnDisk: what `MaxAppendSize` counts. */
export const sizeOf = ({ type, data, meta }: Proposed): number => data.length + meta.length + type.length * 2;

/** Streams.Read, ConvertToReadEvent: an event that committed itself has its position on reads of a stream as well as of $all. */
export const readEvent = (stored: Stored): ReadResp => {
  const recorded = new ReadResp.ReadEvent.RecordedEvent();
  recorded.setId(uuidOf(stored.id));
  recorded.setStreamIdentifier(identifierOf(stored.stream));
  recorded.setStreamRevision(stored.revision.toString());
  recorded.setCommitPosition(stored.position.toString());
  recorded.setPreparePosition(stored.position.toString());
  recorded.setData(stored.data);
  recorded.setCustomMetadata(stored.meta);
  const metadata = recorded.getMetadataMap();
  metadata.set('type', stored.type);
  metadata.set('content-type', stored.contentType);
  metadata.set('created', stored.created.toString());
  const event = new ReadResp.ReadEvent();
  event.setEvent(recorded);
  event.setCommitPosition(stored.position.toString());
  const answer = new ReadResp();
  answer.setEvent(event);
  return answer;
};

export const notFound = (name: string): ReadResp => {
  const missing = new ReadResp.StreamNotFound();
  missing.setStreamIdentifier(identifierOf(name));
  const answer = new ReadResp();
  answer.setStreamNotFound(missing);
  return answer;
};

export const empty = (): Empty => new Empty();

const fault = (code: status, details: string, trailers: Readonly<Record<string, string>> = {}): ServiceError => {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(trailers)) metadata.set(key, value);
  return Object.assign(new Error(details), { code, details, metadata });
};

/** RpcExceptions, by the names that it gives them; the trailer `exception` is what clients tell them apart by. */
export const faults = {
  streamDeleted: (name: string) =>
    fault(status.FAILED_PRECONDITION, `Event stream '${name}' is deleted.`, { exception: 'stream-deleted', 'stream-name': name }),
  wrongExpectedVersion: (name: string, expected: Expected, current: bigint) =>
    fault(status.FAILED_PRECONDITION, `Delete failed due to WrongExpectedVersion. Stream: ${name}`, {
      exception: 'wrong-expected-version',
      'stream-name': name,
      'expected-version': String(expected === 'no stream' ? -1 : expected === 'any' ? -2 : expected === 'stream exists' ? -4 : expected),
      'actual-version': current.toString(),
    }),
  maxAppendSizeExceeded: (limit: number) =>
    fault(status.INVALID_ARGUMENT, `Maximum Append Size of ${limit} Exceeded.`, {
      exception: 'maximum-append-size-exceeded',
      'maximum-append-size': String(limit),
    }),
  // Since 26.1; older clients have no name for it.
  maxAppendEventSizeExceeded: (id: string, size: number, limit: number) =>
    fault(status.INVALID_ARGUMENT, `Event with Id: ${id}, Size: ${size}, exceeds Maximum Append Event Size of ${limit}.`, {
      exception: 'maximum-append-event-size-exceeded',
      'maximum-append-event-size': String(limit),
    }),
  invalidPosition: () => fault(status.INVALID_ARGUMENT, 'Trying to read from an invalid position.'),
  leaderInfo: (host: string, port: number) =>
    fault(status.NOT_FOUND, 'Leader info available', {
      exception: 'not-leader',
      'leader-endpoint-host': host,
      'leader-endpoint-port': String(port),
    }),
  noLeaderInfo: () => fault(status.UNKNOWN, 'No leader info available in response'),
  serverNotReady: () => fault(status.UNAVAILABLE, 'Server Is Not Ready'),
  serverBusy: () => fault(status.UNAVAILABLE, 'Server Is Too Busy'),
  timeout: () => fault(status.ABORTED, 'Operation timed out: Commit phase timeout.'),
  accessDenied: () => fault(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' }),
  // AuthenticationMiddleware answers 401 to credentials that are wrong; gRPC calls that UNAUTHENTICATED.
  unauthenticated: () => fault(status.UNAUTHENTICATED, 'Unauthenticated'),
  cancelled: () => fault(status.CANCELLED, 'The call was cancelled by the server.'),
  shuttingDown: () => fault(status.UNAVAILABLE, 'Server is shutting down'),
} as const;
