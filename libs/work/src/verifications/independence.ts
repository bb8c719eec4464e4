import { refusal, type Refusal } from '#libs/kernel';
import type { Participant } from '../task.js';
import type { Holder, Relation, SharedLineage } from '../task-events.js';

/**
 * The first tie between a would-be verifier and anyone who leased or reported the task: the same principal, credential or
 * accountable human (a human is accountable for itself, so it doesn't judge its own agents' work), a session that both descend
 * from, a conversation that both declare. Where an agent's lineage is missing, independence cannot be shown, and that is a tie.
 */
export const sharedLineage = (
  verifier: Holder,
  participants: readonly Participant[],
): Readonly<{ relation: Relation; proof: SharedLineage['proof'] }> | undefined => {
  for (const participant of participants) {
    const relation = relationOf(verifier, participant.holder);
    if (relation) return { relation, proof: { eventId: participant.eventId, type: participant.type } };
  }
  return undefined;
};

const relationOf = (verifier: Holder, other: Holder): Relation | undefined => {
  if (verifier.principalId === other.principalId) return 'principal';
  if (verifier.credentialId === other.credentialId) return 'credential';
  if (lacksLineage(verifier) || lacksLineage(other)) return 'missing_lineage';
  if (answersFor(verifier) === answersFor(other)) return 'accountable_human';
  if (verifier.sessions.some((session) => other.sessions.includes(session))) return 'session';
  if (verifier.conversations.some((conversation) => other.conversations.includes(conversation))) return 'conversation';
  return undefined;
};

const lacksLineage = ({ kind, accountableHuman }: Holder): boolean => kind !== 'human' && accountableHuman === '';
const answersFor = ({ kind, principalId, accountableHuman }: Holder): string => (kind === 'human' ? principalId : accountableHuman);

/** 403 with the event that proves the tie. */
export const notIndependent = ({ relation, proof }: Pick<SharedLineage, 'relation' | 'proof'>): Refusal =>
  refusal(
    'forbidden',
    'verification/not-independent',
    relation === 'missing_lineage'
      ? 'Independence cannot be shown: an agent involved has no recorded lineage. Let somebody else verify this.'
      : `You share the ${WORDS[relation]} of someone who worked on this task. Let somebody else verify it.`,
    { relation, proof },
  );

const WORDS: Readonly<Record<Exclude<Relation, 'missing_lineage'>, string>> = {
  principal: 'identity',
  credential: 'credential',
  accountable_human: 'accountable human',
  session: 'session',
  conversation: 'conversation',
};
