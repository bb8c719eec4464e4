import { Injectable } from '@nestjs/common';
import { EventStore, streamName } from '#libs/kernel';
import { proposalDecider } from '../proposal.decider.js';
import type { MutationCommitted, MutationFailed, MutationReceipt, ProposalEvent } from '../proposal.js';

export type Outcome = Readonly<
  | { receipt: Readonly<{ receipts: readonly MutationReceipt[]; at: string }> }
  | { failure: Readonly<{ code: string; detail: string }> }
  | { pending: Readonly<{ poll: string }> }
>;

/** What became of an approval. */
@Injectable()
export class Outcomes {
  constructor(private readonly store: EventStore) {}

  /** Waits at most `ms` for the change to be in place; after that it is still on its way, and `poll` says where to look. */
  async of(proposalId: string, ms: number): Promise<Outcome> {
    const patience = AbortSignal.timeout(ms);
    for await (const _ of this.store.changes(patience)) {
      const { events } = await this.store.readStream<ProposalEvent>(streamName(proposalDecider.category, proposalId));
      const end = events.find((event) => event.type === 'MutationCommitted' || event.type === 'MutationFailed') as
        MutationCommitted | MutationFailed | undefined;
      if (end?.type === 'MutationCommitted') return { receipt: { receipts: end.data.receipts, at: end.data.at } };
      if (end?.type === 'MutationFailed') return { failure: { code: end.data.code, detail: end.data.detail } };
    }
    return { pending: { poll: `/api/confirmations/${proposalId}` } };
  }
}
