import { accept, record, refuse, type Command, type Decision } from '#libs/kernel';
import { holderOf, type Claims } from '../leases/holder.js';
import { nextLease, taken } from '../leases/lease.js';
import { isHeld, refusedKey, type KnownTask, type Report } from '../task.js';
import type { Holder, SharedLineage, TaskEvent } from '../task-events.js';
import { notIndependent, sharedLineage } from './independence.js';

export type ClaimVerification = Command<'ClaimVerification', Omit<Claims, 'capabilities'>>;

/** A reported task, by someone independent; an unverifiable one, by such a human. */
export const claimVerification = ({ data, meta }: ClaimVerification, state: KnownTask): Decision<TaskEvent> => {
  if (isHeld(state)) return taken(state, state.status === 'verifying' ? 'verification/taken' : 'verification/not-reported');
  if (state.status !== 'reported' && state.status !== 'unverifiable')
    return refuse(
      'conflict',
      state.status === 'verified' || state.status === 'shipped' ? 'verification/decided' : 'verification/not-reported',
      `There is no report to verify; the task is ${state.status}.`,
      { status: state.status },
    );
  const verifier = holderOf(meta.actor, data);
  const tie = tieOf(verifier, state, state.report, meta.at);
  if (tie) return record(onRecord(state, tie) ? [] : [{ type: 'VerificationRefused', data: tie }], notIndependent(tie));
  if (state.status === 'unverifiable' && meta.actor.kind !== 'human')
    return refuse('forbidden', 'verification/human-only', 'No machine could judge this report. A human verifier has to.');

  const { reportDigest } = state.report;
  const { scopeDigest } = state.facts;
  return accept({ type: 'VerificationGranted', data: { ...nextLease(state, meta.at), holder: verifier, reportDigest, scopeDigest } });
};

/** What ties a verifier to the task, now or by what is on record, as it is put there. */
export const tieOf = (verifier: Holder, { facts }: KnownTask, { reportDigest }: Report, at: string): SharedLineage | undefined => {
  const known = Object.hasOwn(facts.ties, verifier.principalId) ? facts.ties[verifier.principalId] : undefined;
  const tie = sharedLineage(verifier, facts.participants) ?? known;
  return tie && { principalId: verifier.principalId, credentialId: verifier.credentialId, reportDigest, ...tie, at };
};

const onRecord = ({ facts }: KnownTask, tie: SharedLineage): boolean => facts.recorded.includes(refusedKey(tie));
