import { digestOf, idOf, type Recorded } from '#libs/kernel';
import type { TaskEvent } from '#libs/work';
import { broken, byStream, type Rule, type Violation } from './violation.js';

type Lease = Readonly<{ fence: string; kind: 'implementation' | 'verification'; principalId: string; credentialId: string }>;

/**
 * Of each task, from its events alone: at most one holder at a time, fences that rise strictly, no write under a fence that is not
 * the live one, a verdict on the present report only, shipping after it, and a receipt after that. Knows nothing of the decider.
 */
export const taskRules = (events: readonly Recorded[]): Violation[] =>
  [...byStream(events)].filter(([stream]) => stream.startsWith('task-')).flatMap(([, own]) => faultsOf(own as Recorded<TaskEvent>[]));

const faultsOf = (events: readonly Recorded<TaskEvent>[]): Violation[] => {
  const found: Violation[] = [];
  let live: Lease | undefined;
  let last = 0n;
  let scope: string | undefined;
  let report: string | undefined;
  let verified: string | undefined;
  let shipped = false;
  let receipts = 0;

  for (const event of events) {
    const fault = (rule: Rule, detail: string) => void found.push(broken(rule, event, detail));
    const grant = (kind: Lease['kind'], fence: string) => {
      if (live) fault('one-holder', `Fence ${live.fence} is live.`);
      if (BigInt(fence) <= last) fault('one-holder', `Fence ${last} was granted already.`);
      last = BigInt(fence);
      live = { fence, kind, principalId: event.meta.actor.id, credentialId: event.meta.credentialId };
    };
    const underLease = (fence: string, kind?: Lease['kind'], byHolder = true) => {
      if (live?.fence !== fence)
        return fault('stale-fence', `It is written under fence ${fence}, and ${live ? `${live.fence} is live` : 'none is live'}.`);
      if (kind !== undefined && live.kind !== kind) fault('stale-fence', `Fence ${fence} is for ${live.kind}.`);
      if (byHolder && (live.principalId !== event.meta.actor.id || live.credentialId !== event.meta.credentialId))
        fault('one-holder', `Fence ${fence} is held by ${live.principalId}.`);
    };
    const data = event.data as { scopeDigest?: string };
    if (event.type === 'TaskQueued') {
      if (scope !== undefined) fault('one-effect', 'It was queued already.');
      scope = event.data.scopeDigest;
    } else {
      if (scope === undefined) fault('cause', 'Its task was never queued.');
      if (data.scopeDigest !== undefined && data.scopeDigest !== scope) fault('receipt', `The scope is ${scope}.`);
    }
    switch (event.type) {
      case 'LeaseGranted':
        if (shipped) fault('one-holder', 'It was shipped.');
        grant('implementation', event.data.fence);
        break;
      case 'VerificationGranted':
        if (event.data.reportDigest !== report) fault('receipt', `The present report is ${report}.`);
        grant('verification', event.data.fence);
        break;
      case 'LeaseRenewed':
        underLease(event.data.fence, event.data.kind);
        break;
      case 'TaskBlocked':
        underLease(event.data.fence, 'implementation');
        break;
      case 'LeaseReleased':
        underLease(event.data.fence, event.data.kind);
        live = undefined;
        break;
      case 'LeaseRevoked':
        underLease(event.data.fence, event.data.kind, false);
        live = undefined;
        break;
      case 'LeaseExpired':
      case 'VerificationExpired':
        underLease(event.data.fence, event.type === 'LeaseExpired' ? 'implementation' : 'verification', false);
        if (event.data.at < event.data.expiresAt) fault('one-holder', `It lasts until ${event.data.expiresAt}.`);
        live = undefined;
        break;
      case 'TaskCancelled':
        live = undefined;
        break;
      case 'StaleLeaseRejected':
        if (event.data.fence === live?.fence) fault('stale-fence', 'The live fence was refused as a stale one.');
        break;
      case 'WorkReported': {
        underLease(event.data.fence, 'implementation');
        const { fence, scopeDigest, revision, artifacts, changedPaths, evidence, summary, reportDigest } = event.data;
        const taskId = idOf(event.stream);
        if (digestOf({ taskId, fence, scopeDigest, revision, artifacts, changedPaths, evidence, summary }) !== reportDigest)
          fault('stale-fence', 'Its digest is of a report under another fence or scope.');
        [report, verified, live] = [reportDigest, undefined, undefined];
        break;
      }
      case 'WorkVerified':
      case 'WorkRejected':
      case 'WorkUnverifiable':
        underLease(event.data.fence, 'verification');
        if (event.data.reportDigest !== report) fault('receipt', `The present report is ${report}.`);
        verified = event.type === 'WorkVerified' ? event.data.reportDigest : undefined;
        live = undefined;
        break;
      case 'WorkShipped':
        if (shipped) fault('one-effect', 'It was shipped already.');
        if (verified === undefined || event.data.reportDigest !== verified)
          fault('receipt', `What was verified is ${verified ?? 'nothing'}.`);
        if (live) fault('one-holder', `Fence ${live.fence} is live.`);
        shipped = true;
        break;
      case 'ReceiptIssued':
        if (!shipped) fault('receipt', 'Nothing was shipped.');
        if (++receipts > 1) fault('one-effect', 'It has a receipt already.');
        break;
      default:
        break;
    }
  }
  return found;
};
