import { Injectable } from '@nestjs/common';
import { DomainError, EventStore, findOutcome, readState, refusal, streamName, type CommandMeta, type Principal } from '#libs/kernel';
import { faultsOfDto } from '#libs/http';
import { IdentityDirectory } from '#libs/identity';
import { recordDecider, type GovernedRecord } from '#libs/records';
import type { Card } from '../confirmations/card.js';
import type { Image, OperationName, Party, ProposalEvent, ProposalSubmitted } from '../proposal.js';
import { riskLevels, type Operation } from '../operations/operation.js';
import { operations } from '../operations/operations.js';
import { actionDigestOf, changesOf, commandOf, imageOf, queuedWork, rehearse } from '../operations/planning.js';
import { holdsHiddenCharacters } from './hidden-characters.js';
import { scopeFaults } from '../work-scope.js';
import type { SubmitProposal } from './submission.js';

/** What an assistant asks for: an operation of the table by name, its arguments as they came, and why. */
export type Intent = Readonly<{
  operation: OperationName;
  arguments: Readonly<Record<string, unknown>>;
  reason: string;
  supersedes?: string;
}>;
/** By whom, and for whom. */
export type Parties = Pick<ProposalSubmitted['data'], 'agent' | 'agentCredentialId' | 'requester' | 'requesterCredentialId'>;
type Loaded = Readonly<{ image: Image; record: GovernedRecord }>;

/** Reads what an intent is about and works out what it would do; nothing is written. */
@Injectable()
export class ProposalPlanner {
  constructor(
    private readonly store: EventStore,
    private readonly directory: IdentityDirectory,
  ) {}

  /**
   * Throws 422 `request/invalid` naming every field, 404 `record/not-found`, 422 `proposal/wrong-kind`, 422
   * `proposal/no-change`, or what the record itself would refuse.
   */
  async plan(intent: Intent, parties: Parties, proposalId: string, meta: CommandMeta): Promise<SubmitProposal['data']['plan']> {
    // A repeated command is answered from what it left; the records may look different by now.
    const [repeated] = await findOutcome(this.store, streamName('proposal', proposalId), meta.commandId);
    if (repeated) return repeated.data as ProposalSubmitted['data'];

    const operation = operations[intent.operation];
    await this.assertArguments(operation, intent.arguments);
    const names = operation.names(intent.arguments);
    const targets = await this.load(names.targets, operation.targetKinds, meta.actor, meta.workspaceId);
    const references = await this.load(names.references, operation.referenceKinds, meta.actor, meta.workspaceId);
    const images = targets.map(({ image }) => image);
    const plan = operation.plan({
      arguments: intent.arguments,
      proposalId,
      targets: images,
      references: references.map(({ image }) => image),
      requester: parties.requester.id,
      at: meta.at,
    });

    const origin = { proposalId, operation: intent.operation, reason: intent.reason, requester: parties.requester.id, approvedBy: '' };
    for (const effect of plan.effects) {
      const record = targets.find(({ image }) => image.id === effect.recordId)?.record ?? { status: 'none' as const };
      const no = rehearse(record, commandOf(effect, images, origin, meta), intent.arguments);
      if (no) throw new DomainError(no);
    }

    const changes = changesOf(plan.effects, images);
    const work = queuedWork(plan, operation.queue);
    if (changes.length === 0 && !work)
      throw new DomainError(refusal('invalid', 'proposal/no-change', 'The records are like this already. There is nothing to decide.'));
    const [tenantName, workspace] = await Promise.all([
      this.directory.tenantName(meta.tenantId),
      this.directory.workspace(meta.workspaceId),
    ]);
    const data = {
      operation: intent.operation,
      arguments: intent.arguments,
      summary: plan.summary,
      targets: images,
      references: references.map(({ image }) => image),
      changes,
      reason: intent.reason,
      ...parties,
      tenant: { id: meta.tenantId, name: tenantName },
      workspace: { id: meta.workspaceId, name: workspace.status === 'none' ? meta.workspaceId : workspace.name },
      risk: { class: operation.risk, level: riskLevels[operation.risk], why: operation.why },
      mode: operation.mode,
      reversible: operation.reversible,
      warnings: [...plan.warnings, ...(holdsHiddenCharacters([intent.arguments, intent.reason]) ? [HIDDEN_WARNING] : [])],
      outcomes: plan.outcomes,
      ...(work && { work }),
      ...(intent.supersedes && { supersedes: intent.supersedes }),
    };
    return { ...data, actionDigest: actionDigestOf(data) };
  }

  /** The same intent on the present state of its records, for a card that can no longer be approved. Else 409 `proposal/not-reproposable`. */
  async planAgain(card: Card, proposalId: string, meta: CommandMeta): Promise<SubmitProposal['data']['plan']> {
    const { events } = await this.store.readStream<ProposalEvent>(streamName('proposal', card.confirmationId));
    const {
      operation,
      arguments: args,
      reason,
      agent,
      agentCredentialId,
      requester,
      requesterCredentialId,
    } = (events[0] as ProposalSubmitted).data;
    const [repeated] = await findOutcome(this.store, streamName('proposal', proposalId), meta.commandId);
    if (!repeated && !card.actions.includes('repropose'))
      throw new DomainError(
        refusal(
          'conflict',
          'proposal/not-reproposable',
          `It is ${card.status}. Only a card that went stale, expired or failed is proposed again.`,
        ),
      );
    const intent = { operation, arguments: args, reason, supersedes: card.confirmationId };
    return this.plan(intent, { agent, agentCredentialId, requester, requesterCredentialId }, proposalId, meta);
  }

  private async assertArguments(operation: Operation, given: Readonly<Record<string, unknown>>): Promise<void> {
    const faults = await faultsOfDto(operation.arguments, given, '/arguments');
    const scope = (given as { work?: Parameters<typeof scopeFaults>[0] }).work;
    if (faults.length === 0 && scope) faults.push(...scopeFaults(scope, '/arguments/work'));
    if (faults.length > 0)
      throw new DomainError(
        refusal('invalid', 'request/invalid', 'Correct the named fields and propose again. Nothing was stored.', undefined, faults),
      );
  }

  private load(ids: readonly string[], kinds: Operation['targetKinds'], reader: Principal, workspaceId: string): Promise<Loaded[]> {
    return Promise.all(
      ids.map(async (id) => {
        const { state: record } = await readState(this.store, recordDecider, id, { ...reader, workspaceIds: [workspaceId] });
        if (record.status === 'none') throw new Error(`record-${id} has events but no state.`);
        if (kinds && !kinds.includes(record.kind))
          throw new DomainError(
            refusal(
              'invalid',
              'proposal/wrong-kind',
              `This operation is for ${kinds.join(' or ')}; "${String(record.fields['title'])}" is a ${record.kind}.`,
            ),
          );
        return { image: imageOf(id, record), record };
      }),
    );
  }
}

const HIDDEN_WARNING = 'The text holds invisible or direction-changing characters.';

/** As stored in events and shown on cards. */
export const partyOf = ({ id, name }: Principal): Party => ({ id, name });
