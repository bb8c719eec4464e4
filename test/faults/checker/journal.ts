/** A command that a client sent, by the id that server and client both derive from its key. `fence`: the lease that it claimed to be under. */
export type Asked = Readonly<{ commandId: string; what: string; fence?: string }>;

/** What a client was told of a command that succeeded: where it was written. */
export type Acknowledged = Asked & Readonly<{ id: string; revision: string; position: string; auditId: string }>;

/** What clients remember of a run, to be held against the log at its end. */
export type Journal = Readonly<{
  asked: ReadonlyMap<string, Asked>;
  acknowledged: readonly Acknowledged[];
  /** Commands that were refused with every one of their sendings answered: none of them may have had an effect. */
  refused: readonly (Asked & Readonly<{ code: string }>)[];
}>;

export const emptyJournal: Journal = { asked: new Map(), acknowledged: [], refused: [] };
