import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  derivedId,
  digestOf,
  EventStore,
  findOutcome,
  idOf,
  isTransient,
  refusal,
  streamName,
  systemPrincipal,
  type CommandMeta,
  type DomainError,
  type Recorded,
  type Refusal,
} from '#libs/kernel';
import { IdentityDirectory, judge, type Standing } from '#libs/identity';
import { Clock } from '#libs/postgres';
import { HandleRecord, recordDecider, type RecordEvent } from '#libs/records';
import { movedRecords } from '../confirmations/card.js';
import type { Effect } from '../operations/operation.js';
import { operations } from '../operations/operations.js';
import { actionDigestOf, changesOf, commandOf } from '../operations/planning.js';
import { HandleProposal } from '../proposal.handler.js';
import {
  evolve,
  type ConfirmationApproved,
  type FieldChange,
  type MutationReceipt,
  type Proposal,
  type ProposalEvent,
  type ProposalSubmitted,
} from '../proposal.js';

/**
 * Carries out what a person approved, once. It looks first at what its own commands left in the records' streams: where the
 * effect is there, only the receipt is missing, whatever has changed since. Otherwise all is checked again now, and any
 * failure means that nothing runs.
 */
@Injectable()
export class MutationExecution {
  constructor(
    private readonly store: EventStore,
    private readonly commands: CommandBus,
    private readonly directory: IdentityDirectory,
    private readonly clock: Clock,
  ) {}

  async execute(approval: Recorded<ConfirmationApproved>): Promise<void> {
    const proposalId = idOf(approval.stream);
    const { events } = await this.store.readStream<ProposalEvent>(approval.stream);
    const state = events.reduce<Proposal>(evolve, { status: 'none' });
    if (state.status !== 'approved') return;
    const submitted = events[0] as Recorded<ProposalSubmitted>;

    const effects = this.effectsOf(submitted.data, proposalId);
    let receipts = await this.receiptsOf(approval, effects);
    if (receipts.size === 0) {
      const no = await this.whyNot(approval, submitted, effects);
      // A worker that lost its leadership may have carried it out meanwhile: what moved is then this very change.
      if (no) receipts = await this.receiptsOf(approval, effects);
      if (no && receipts.size === 0) return this.fail(approval, no, []);
    }
    for (const effect of effects.filter(({ recordId }) => !receipts.has(recordId))) {
      const { reason, requester, operation, targets } = submitted.data;
      const origin = { proposalId, operation, reason, requester: requester.id, approvedBy: approval.data.by.id };
      const command = commandOf(effect, targets, origin, this.metaFor(approval, effect));
      try {
        const { events: written } = await this.commands.execute(new HandleRecord(effect.recordId, command));
        receipts.set(effect.recordId, receiptOf(written.at(-1)!));
      } catch (error) {
        if (isTransient(error)) throw error;
        return this.fail(approval, (error as DomainError).refusal, [...receipts.values()]);
      }
    }
    await this.commit(
      approval,
      submitted.data,
      effects.map(({ recordId }) => receipts.get(recordId)!),
    );
  }

  /** None where this server does not know the operation (any more). */
  private effectsOf(data: ProposalSubmitted['data'], proposalId: string): readonly Effect[] {
    const { arguments: args, targets, references, requester, submittedAt: at } = data;
    if (!Object.hasOwn(operations, data.operation)) return [];
    return operations[data.operation].plan({ arguments: args, proposalId, targets, references, requester: requester.id, at }).effects;
  }

  /** What the commands of this approval have left in the records' streams, by record. */
  private async receiptsOf(approval: Recorded<ConfirmationApproved>, effects: readonly Effect[]): Promise<Map<string, MutationReceipt>> {
    const receipts = new Map<string, MutationReceipt>();
    for (const effect of effects) {
      const { commandId } = this.metaFor(approval, effect);
      const [done] = await findOutcome(this.store, streamName(recordDecider.category, effect.recordId), commandId);
      if (done) receipts.set(effect.recordId, receiptOf(done));
    }
    return receipts;
  }

  /** Everything that the approval rested on, as it is now. */
  private async whyNot(
    approval: Recorded<ConfirmationApproved>,
    { data, meta }: Recorded<ProposalSubmitted>,
    effects: readonly Effect[],
  ): Promise<Refusal | undefined> {
    if (this.clock.now() >= approval.data.releaseBy)
      return refusal(
        'gone',
        'mutation/release-expired',
        `It was approved but not carried out until ${approval.data.releaseBy}. Propose it again.`,
      );
    if (actionDigestOf(data) !== approval.data.actionDigest)
      return refusal('conflict', 'mutation/digest-mismatch', 'What was approved is not what was proposed. Propose it again.');
    if (!Object.hasOwn(operations, data.operation))
      return refusal('conflict', 'mutation/operation-unknown', `There is no operation ${data.operation} any more.`);
    const operation = operations[data.operation];
    if (operation.mode === 'four_eyes' && data.mode !== 'four_eyes')
      return refusal('conflict', 'mutation/stricter-mode', 'This operation asks for four eyes by now. Propose it again.');
    if (digestOf(changesOf(effects, data.targets).map(unlabelled)) !== digestOf(data.changes.map(unlabelled)))
      return refusal(
        'conflict',
        'mutation/plan-changed',
        'The operation does something else by now than the card showed. Propose it again.',
      );

    const moved = await this.movedSince(data);
    if (moved.length > 0)
      return refusal(
        'conflict',
        'record/stale',
        `${moved.map(({ title }) => `"${title}"`).join(', ')} changed after the approval. Propose it again.`,
        { moved },
      );

    const [approver, requester, agent] = await Promise.all(
      [approval.meta.credentialId, data.requesterCredentialId, data.agentCredentialId].map((id) => this.directory.principalOf(id)),
    );
    return (
      withoutAuthority('The approver', approver!, 'confirmation.approve', meta.workspaceId) ??
      withoutAuthority('The requester', requester!, 'proposal.request', meta.workspaceId) ??
      withoutAuthority('The agent', agent!, 'proposal.submit', meta.workspaceId)
    );
  }

  private async movedSince(data: ProposalSubmitted['data']) {
    const images = [...data.targets, ...data.references];
    const present = await Promise.all(
      images.map(
        async ({ id }) =>
          [id, (await this.store.readStream<RecordEvent>(streamName(recordDecider.category, id))).revision.toString()] as const,
      ),
    );
    return movedRecords(images, new Map(present));
  }

  private commit(approval: Recorded<ConfirmationApproved>, data: ProposalSubmitted['data'], receipts: readonly MutationReceipt[]) {
    const { operation, work, requester, agent } = data;
    const body = { operation, receipts, requester, agent, ...(work && { work }) };
    return this.conclude(approval, { type: 'CommitMutation', data: body });
  }

  private fail(approval: Recorded<ConfirmationApproved>, { code, detail }: Refusal, applied: readonly MutationReceipt[]) {
    const partial = applied.length > 0 ? ` ${applied.length} records were changed before.` : '';
    return this.conclude(approval, { type: 'FailMutation', data: { code, detail: `${detail}${partial}`, applied } });
  }

  private async conclude(
    approval: Recorded<ConfirmationApproved>,
    command: Pick<HandleProposal['command'], 'type' | 'data'>,
  ): Promise<void> {
    const meta = { ...this.metaFor(approval), requestDigest: digestOf({ approval: approval.id }) };
    await this.commands.execute(new HandleProposal(idOf(approval.stream), { ...command, meta } as HandleProposal['command']));
  }

  private metaFor(approval: Recorded<ConfirmationApproved>, effect?: Effect): CommandMeta {
    const { tenantId, workspaceId, auditId, correlationId } = approval.meta;
    return {
      tenantId,
      workspaceId,
      actor: systemPrincipal(tenantId, workspaceId),
      at: this.clock.now(),
      commandId: derivedId(approval.id, effect ? 'effect' : 'conclusion', effect?.recordId ?? ''),
      requestDigest: digestOf({ approval: approval.id, effect: effect ?? null }),
      correlationId,
      causationId: approval.id,
      auditId,
      onBehalfOf: approval.data.by.id,
    };
  }
}

/** A change without the words that it was shown with. */
const unlabelled = ({ label: _, ...change }: FieldChange): Omit<FieldChange, 'label'> => change;

const withoutAuthority = (
  who: string,
  { principal, active, why }: Standing,
  action: Parameters<typeof judge>[1],
  workspaceId: string,
): Refusal | undefined => {
  const judgement = judge(principal, action);
  if (active && judgement.allowed && principal.workspaceIds.includes(workspaceId)) return undefined;
  return refusal(
    'forbidden',
    'mutation/authority-lost',
    `${who} may no longer do this: ${why?.detail ?? (judgement.allowed ? 'not in this workspace.' : judgement.because)}`,
  );
};

const receiptOf = ({ stream, revision, position }: Recorded): MutationReceipt => ({ stream, revision: revision.toString(), position });
