import { refusal, type Principal, type Refusal } from '#libs/kernel';
import type { Holder } from '../task-events.js';

/** What a claim says of itself. It can only narrow what the credential may do, and add conflicts. */
export type Claims = Readonly<{ capabilities?: readonly string[]; model?: string; conversationId?: string }>;

/** The holder that a principal is, with its lineage as it is now. */
export const holderOf = (actor: Principal, claims: Claims = {}): Holder => ({
  principalId: actor.id,
  credentialId: actor.credentialId,
  kind: actor.kind,
  name: actor.name,
  accountableHuman: actor.lineage?.accountableHuman ? actor.accountableHuman : '',
  sessions: actor.lineage?.sessions ?? [],
  conversations: [...new Set([actor.lineage?.conversationId, claims.conversationId].flatMap((id) => (id ? [id] : [])))],
  ...(claims.model && { model: claims.model }),
});

/** The holder of a lease with its lineage as it is now; what the claim declared stays declared. */
export const presentHolder = (actor: Principal, claimed: Holder): Holder => ({
  ...claimed,
  ...holderOf(actor),
  conversations: [...new Set([...claimed.conversations, ...holderOf(actor).conversations])],
});

/** Queues that a claim is eligible for: the credential's capabilities, narrowed by the claim. Asking for more is 403 `lease/not-capable`. */
export const capabilitiesOf = (actor: Principal, { capabilities }: Claims): readonly string[] | Refusal => {
  const foreign = capabilities?.filter((capability) => !actor.capabilities.includes(capability)) ?? [];
  return foreign.length > 0
    ? refusal(
        'forbidden',
        'lease/not-capable',
        `This credential is not capable of ${foreign.join(', ')}. A claim may only narrow what it is.`,
        {
          capabilities: actor.capabilities,
        },
      )
    : (capabilities ?? actor.capabilities);
};

export const notEligible = (queue: string, capabilities: readonly string[]): Refusal =>
  refusal(
    'forbidden',
    'lease/not-capable',
    `The queue ${queue} needs the capability ${queue}; this claim has ${capabilities.join(', ') || 'none'}.`,
    {
      queue,
      capabilities,
    },
  );
