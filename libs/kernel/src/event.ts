/** Who did it, as written into every event: the principal, never what a body or a client says of itself. */
export type Author = Readonly<{ id: string; kind: 'human' | 'agent' | 'service' }>;

/** A fact, past tense. `data` is JSON plus bigint; it is stored for ever, so its shape only grows. */
export type Event<T extends string = string, D = unknown> = Readonly<{ type: T; data: D }>;

/** Stored beside the data of every event. Ids are UUIDs. */
export type EventMeta = Readonly<{
  tenantId: string;
  workspaceId: string;
  actor: Author;
  credentialId: string;
  /** The human in whose name an agent acted, from a delegation that this human's own credential minted. */
  onBehalfOf?: string;
  /** Given at submission; the same on card, decision, mutation, task, receipt and log line. */
  auditId: string;
  commandId: string;
  /** SHA-256 of the command's name and body: the same `commandId` with another body is refused. */
  requestDigest: string;
  correlationId: string;
  causationId: string;
  policyVersion?: string;
  /** Ids of the policies of that version that allowed the command: the proof. */
  policies?: readonly string[];
  /** Version of the data's shape, see `EventTypes`. */
  schemaVersion: number;
  /** SHA-256 over RFC 8785 JSON of {stream, id, type, data, meta without contentHash}. */
  contentHash: string;
}>;

/** An event on its way into a stream. `id` derives from the command, so that appending it again is a repeat. */
export type NewEvent<E extends Event = Event> = E & Readonly<{ id: string; meta: Omit<EventMeta, 'contentHash' | 'schemaVersion'> }>;

/** An event as read back. `revision` is its place in the stream (from 0), `position` its place in the store. */
export type Recorded<E extends Event = Event> = E &
  Readonly<{ id: string; stream: string; revision: bigint; position: Position; recordedAt: string; meta: EventMeta }>;

/** Place in the whole store, as a decimal string; only the store that issued it orders it. */
export type Position = string;

export const streamName = (category: string, id: string): string => `${category}-${id}`;
export const categoryOf = (stream: string): string => stream.slice(0, stream.indexOf('-'));
export const idOf = (stream: string): string => stream.slice(stream.indexOf('-') + 1);
