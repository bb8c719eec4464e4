import type { sendUnaryData, ServerDuplexStream, ServerReadableStream, ServerUnaryCall } from '@grpc/grpc-js';
import {
  AllStreamPosition,
  Empty,
  MaximumAppendSizeExceeded,
  StreamDeleted,
  WrongExpectedVersion,
} from '@eventstore/db-client/generated/shared_pb.js';
import { Status } from '@eventstore/db-client/generated/status_pb.js';
import {
  type AppendReq,
  AppendResp,
  type BatchAppendReq,
  BatchAppendResp,
  type DeleteReq,
  DeleteResp,
  type TombstoneReq,
  TombstoneResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import { Any } from 'google-protobuf/google/protobuf/any_pb.js';
import { Empty as WellKnownEmpty } from 'google-protobuf/google/protobuf/empty_pb.js';
import type { Expected, Log, Outcome, Proposed } from './log.js';
import { expectedOf, faults, identifierOf, nameOf, proposedOf, setExpected, sizeOf, uuidOf } from './messages.js';

export type AppendCall = ServerReadableStream<AppendReq, AppendResp>;
export type BatchCall = ServerDuplexStream<BatchAppendReq, BatchAppendResp>;
export type Append = Readonly<{ stream: string; expected: Expected; events: readonly Proposed[] }>;

/** `MaxAppendSize`: 1 MiB where nobody set it (ClusterVNodeOptions). */
export const MAX_APPEND_SIZE = 1024 * 1024;
const tooLarge = ({ events }: Append): boolean => events.reduce((sum, event) => sum + sizeOf(event), 0) > MAX_APPEND_SIZE;

/** Streams.Append: options first, then one message an event, then the end. */
export const receiveAppend = (call: AppendCall): Promise<Append> =>
  new Promise((resolve, reject) => {
    let options: AppendReq.Options | undefined;
    const events: Proposed[] = [];
    call.on('data', (message: AppendReq) => {
      if (message.hasOptions()) options = message.getOptions();
      else events.push(proposedOf(message.getProposedMessage()!));
    });
    call.on('error', reject);
    call.on('end', () => {
      const stream = nameOf(options!.getStreamIdentifier());
      const append = { stream, expected: expectedOf(options!, () => options!.getRevision()), events };
      if (tooLarge(append)) reject(faults.maxAppendSizeExceeded(MAX_APPEND_SIZE));
      else resolve(append);
    });
  });

/** Streams.Append, HandleWriteEventsCompleted: a wrong version is an answer, a deleted stream an error. */
export const answerAppend = ({ stream, expected }: Append, outcome: Outcome): AppendResp => {
  const answer = new AppendResp();
  switch (outcome.kind) {
    case 'deleted':
      throw faults.streamDeleted(stream);
    case 'wrong version': {
      const wrong = new AppendResp.WrongExpectedVersion();
      setExpected(wrong, expected, new Empty(), (revision) => wrong.setExpectedRevision(revision));
      if (outcome.current < 0n) wrong.setCurrentNoStream(new Empty());
      else wrong.setCurrentRevision(outcome.current.toString());
      answer.setWrongExpectedVersion(wrong);
      return answer;
    }
    default: {
      const position = new AppendResp.Position();
      position.setCommitPosition(outcome.position.toString());
      position.setPreparePosition(outcome.position.toString());
      const success = new AppendResp.Success();
      success.setCurrentRevision(outcome.revision.toString());
      success.setPosition(position);
      answer.setSuccess(success);
      return answer;
    }
  }
};

/** Streams.BatchAppend: many appends share one call, told apart by correlation id; each is judged when its last message is there. */
export const receiveBatch = (call: BatchCall, onAppend: (append: Append, correlation: string) => void): void => {
  const pending = new Map<string, Append & { events: Proposed[] }>();
  call.on('data', (message: BatchAppendReq) => {
    const correlation = message.getCorrelationId()!.getString();
    if (message.hasOptions()) {
      const options = message.getOptions()!;
      const stream = nameOf(options.getStreamIdentifier());
      pending.set(correlation, { stream, expected: expectedOf(options, () => options.getStreamPosition()), events: [] });
    }
    const append = pending.get(correlation);
    append?.events.push(...message.getProposedMessagesList().map(proposedOf));
    if (!append || !message.getIsFinal()) return;
    pending.delete(correlation);
    onAppend(append, correlation);
  });
  call.on('end', () => call.end());
};

/** Streams.BatchAppend, ConvertMessage: errors are a google.rpc.Status with details, within the answer. */
export const answerBatch = (log: Log, append: Append, correlation: string): BatchAppendResp => {
  const { stream, expected, events } = append;
  const answer = new BatchAppendResp();
  answer.setCorrelationId(uuidOf(correlation));
  answer.setStreamIdentifier(identifierOf(stream));
  const fail = (message: string, details: { serializeBinary(): Uint8Array }) => {
    const packed = new Any();
    packed.pack(details.serializeBinary(), `event_store.client.${message}`);
    const failure = new Status();
    failure.setCode(2);
    failure.setMessage(message);
    failure.setDetails(packed);
    answer.setError(failure);
    return answer;
  };
  if (tooLarge(append)) {
    const exceeded = new MaximumAppendSizeExceeded();
    exceeded.setMaxappendsize(MAX_APPEND_SIZE);
    return fail('MaximumAppendSizeExceeded', exceeded);
  }
  const outcome = log.append(stream, expected, events);
  switch (outcome.kind) {
    case 'deleted': {
      const deleted = new StreamDeleted();
      deleted.setStreamIdentifier(identifierOf(stream));
      return fail('StreamDeleted', deleted);
    }
    case 'wrong version': {
      const wrong = new WrongExpectedVersion();
      setExpected(wrong, expected, new WellKnownEmpty(), (revision) => wrong.setExpectedStreamPosition(revision));
      if (outcome.current < 0n) wrong.setCurrentNoStream(new WellKnownEmpty());
      else wrong.setCurrentStreamRevision(outcome.current.toString());
      return fail('WrongExpectedVersion', wrong);
    }
    default: {
      const position = new AllStreamPosition();
      position.setCommitPosition(outcome.position.toString());
      position.setPreparePosition(outcome.position.toString());
      const success = new BatchAppendResp.Success();
      success.setCurrentRevision(outcome.revision.toString());
      success.setPosition(position);
      answer.setSuccess(success);
      return answer;
    }
  }
};

/** Streams.Delete and Streams.Tombstone. */
export const removal =
  <Request extends DeleteReq | TombstoneReq, Response extends DeleteResp | TombstoneResp>(
    log: Log,
    forEver: boolean,
    Answer: new () => Response,
  ) =>
  (call: ServerUnaryCall<Request, Response>, done: sendUnaryData<Response>): void => {
    const options = call.request.getOptions()!;
    const stream = nameOf(options.getStreamIdentifier());
    const expected = expectedOf(options, () => options.getRevision());
    const outcome = log.remove(stream, expected, forEver);
    if (outcome.kind === 'deleted') return done(faults.streamDeleted(stream));
    if (outcome.kind === 'wrong version') return done(faults.wrongExpectedVersion(stream, expected, outcome.current));
    const answer = new Answer();
    const position = forEver ? new TombstoneResp.Position() : new DeleteResp.Position();
    position.setCommitPosition(outcome.position.toString());
    position.setPreparePosition(outcome.position.toString());
    answer.setPosition(position);
    done(null, answer);
  };
