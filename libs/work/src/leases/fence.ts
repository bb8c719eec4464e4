import { record, refusal, refuse, type Command, type Decision, type Refusal } from '#libs/kernel';
import { isHeld, staleKey, type Held, type KnownTask } from '../task.js';
import type { LeaseKind, LostLease, TaskEvent } from '../task-events.js';

type Fenced = Command<string, Readonly<{ fence: string }>>;

/**
 * The one gate of every write under a lease: its fence must be the live one and its sender the holder, by principal and
 * credential. A fence that was granted and is not live any more is 409 `lease/lost`, and recorded once per fence and command where
 * its own former holder sends it; one that was never granted is 409 `lease/unknown-fence`.
 */
export const underFence = <K extends LeaseKind>(
  { type, data: { fence }, meta }: Fenced,
  state: KnownTask,
  kind: K,
  decide: (held: KnownTask & HeldAs<K>) => Decision<TaskEvent>,
): Decision<TaskEvent> => {
  const grant = Object.hasOwn(state.facts.grants, fence) ? state.facts.grants[fence] : undefined;
  if (!grant)
    return refuse('conflict', 'lease/unknown-fence', `Fence ${fence} was never granted for this task. Use the fence of your lease.`, {
      fence,
    });

  if (!isHeld(state) || state.lease.fence !== fence) {
    const lost: LostLease = {
      fence,
      command: type,
      principalId: meta.actor.id,
      ended: grant.ended ?? 'expired',
      ...(isHeld(state) && {
        liveFence: state.lease.fence,
        heldBy: { id: state.lease.holder.principalId, name: state.lease.holder.name },
      }),
      status: state.status,
      artifactsCount: 'report' in state && state.report.fence === fence,
      at: meta.at,
    };
    const known = state.facts.recorded.includes(staleKey(lost)) || grant.principalId !== meta.actor.id;
    return record(known ? [] : [{ type: 'StaleLeaseRejected', data: lost }], lostLease(lost));
  }

  const { holder } = state.lease;
  if (holder.principalId !== meta.actor.id || holder.credentialId !== meta.actor.credentialId)
    return refuse(
      'forbidden',
      'lease/not-holder',
      `${holder.name} holds this lease. Only its holder writes under it, with the same credential.`,
      {
        fence,
        heldBy: { id: holder.principalId, name: holder.name },
      },
    );
  if (!isHeldAs(state, kind))
    return refuse('conflict', 'lease/other-kind', `Fence ${fence} is a lease for ${grant.kind}, not for ${kind}.`, {
      fence,
      kind: grant.kind,
    });
  return decide(state);
};

type HeldAs<K extends LeaseKind> = Extract<Held, { status: K extends 'implementation' ? 'leased' | 'blocked' : 'verifying' }>;
const isHeldAs = <K extends LeaseKind>(state: KnownTask & Held, kind: K): state is KnownTask & HeldAs<K> => kindOf(state) === kind;

export const kindOf = ({ status }: Held): LeaseKind => (status === 'verifying' ? 'verification' : 'implementation');

/** The answer to a write under a lost lease: who holds the task now, and whether anything handed in under the old fence counts. */
export const lostLease = ({ fence, ended, liveFence, heldBy, status, artifactsCount }: LostLease): Refusal =>
  refusal(
    'conflict',
    'lease/lost',
    [
      `The lease under fence ${fence} ended (${ended}).`,
      heldBy ? `${heldBy.name} holds the task now, under fence ${liveFence}.` : `Nobody holds the task now; it is ${status}.`,
      artifactsCount
        ? 'What you reported under it counts.'
        : 'Nothing done under it counts; stored artifacts may be named again in a report under a new lease.',
    ].join(' '),
    { fence, ended, status, artifactsCount, liveFence: liveFence ?? null, heldBy: heldBy ?? null },
  );
