import type { Recorded } from '#libs/kernel';
import type { TaskEvent } from '#libs/work';

/** What a client wishes of the task; `fence` is the one that it believes in, `who` a principal's id. */
export type Wish = Readonly<
  { who: string } & (
    | { kind: 'claim' | 'take' | 'unblock' | 'requeue' | 'cancel' }
    | {
        kind: 'renew' | 'release' | 'block' | 'report' | 'revoke' | 'expire' | 'judge';
        fence: bigint;
        verdict?: 'rejected' | 'unverifiable';
      }
  )
>;

type Live = Readonly<{ fence: bigint; who: string; kind: 'work' | 'verification' }>;
/** A task as short as it can be told: who holds it, and what may come next. */
export type Model = Readonly<{
  status: 'queued' | 'leased' | 'blocked' | 'reported' | 'verifying' | 'unverifiable' | 'exhausted' | 'cancelled';
  /** Where it goes back to when a lease ends without a result. */
  rest: 'queued' | 'reported' | 'unverifiable';
  granted: bigint;
  live?: Live;
  reporter?: string;
  expiries: number;
  /** `fence command` of stale writes that are on record. */
  noted: readonly string[];
}>;
export const queuedModel: Model = { status: 'queued', rest: 'queued', granted: 0n, expiries: 0, noted: [] };

/** What the wish is answered in this state: 'ok', or the code of the refusal. */
export const predict = (model: Model, wish: Wish): string => {
  const { status, live } = model;
  switch (wish.kind) {
    case 'claim':
      if (live) return 'lease/taken';
      if (status === 'queued') return 'ok';
      return (status === 'reported' || status === 'unverifiable') && model.reporter === wish.who ? 'ok' : 'lease/not-claimable';
    case 'take':
      if (live) return live.kind === 'verification' ? 'verification/taken' : 'verification/not-reported';
      if (status === 'unverifiable') return 'verification/human-only';
      return status === 'reported' ? 'ok' : 'verification/not-reported';
    case 'unblock':
      return status === 'blocked' ? 'ok' : 'task/not-blocked';
    case 'requeue':
      return status === 'exhausted' || status === 'unverifiable' ? 'ok' : 'task/not-requeueable';
    case 'cancel':
      return status === 'cancelled' ? 'task/closed' : 'ok';
    case 'revoke':
    case 'expire':
      return live?.fence === wish.fence ? 'ok' : 'lease/ended';
    default:
      if (wish.fence > model.granted) return 'lease/unknown-fence';
      if (live?.fence !== wish.fence) return 'lease/lost';
      if (live.who !== wish.who) return 'lease/not-holder';
      return wish.kind === 'block' && status === 'blocked' ? 'task/blocked' : 'ok';
  }
};

/** The type of the event that an accepted wish leaves, by what the task is then. */
export const leaves = (wish: Wish, model: Model): string => {
  const ended = model.live?.kind === 'verification' ? 'VerificationExpired' : 'LeaseExpired';
  const judged = wish.kind === 'judge' && wish.verdict === 'rejected' ? 'WorkRejected' : 'WorkUnverifiable';
  return {
    claim: 'LeaseGranted',
    take: 'VerificationGranted',
    unblock: 'TaskUnblocked',
    requeue: 'TaskRequeued',
    cancel: 'TaskCancelled',
    revoke: 'LeaseRevoked',
    expire: ended,
    renew: 'LeaseRenewed',
    release: 'LeaseReleased',
    block: 'TaskBlocked',
    report: 'WorkReported',
    judge: judged,
  }[wish.kind];
};

/** The next state, or a sentence that says which promise this event breaks. */
export const follow = (model: Model, event: Recorded<TaskEvent>): Model | string => {
  const { live } = model;
  const free = ({ live: _, ...rest }: Model) => rest;
  const by = event.meta.actor.id;
  const underLive = 'fence' in event.data && live !== undefined && BigInt(event.data.fence!) === live.fence;
  switch (event.type) {
    case 'LeaseGranted':
    case 'VerificationGranted': {
      const fence = BigInt(event.data.fence);
      if (live) return 'A second holder was let in.';
      if (fence !== model.granted + 1n) return 'A fence was given twice, or left out.';
      const kind = event.type === 'LeaseGranted' ? 'work' : 'verification';
      const rest = model.status === 'reported' || model.status === 'unverifiable' ? model.status : 'queued';
      return { ...model, status: kind === 'work' ? 'leased' : 'verifying', rest, granted: fence, live: { fence, who: by, kind } };
    }
    case 'StaleLeaseRejected': {
      const key = `${event.data.fence} ${event.data.command}`;
      if (model.noted.includes(key)) return 'A stale write was noted twice.';
      return { ...model, noted: [...model.noted, key] };
    }
    case 'TaskRequeued':
      return live ? 'A held task was queued.' : { ...model, status: 'queued', rest: 'queued', expiries: 0 };
    case 'TaskCancelled':
      return { ...free(model), status: 'cancelled' };
    case 'TaskExhausted':
      return model.expiries < 3 || live ? 'It was exhausted before its time.' : { ...model, status: 'exhausted' };
    default:
      if (!underLive) return 'Something was written under a fence that is not live.';
  }
  switch (event.type) {
    case 'LeaseRevoked':
      return { ...free(model), status: model.rest };
    case 'LeaseExpired':
      return { ...free(model), status: model.rest, expiries: model.expiries + (model.rest === 'queued' ? 1 : 0) };
    case 'VerificationExpired':
      return { ...free(model), status: model.rest };
    case 'TaskUnblocked':
      return { ...model, status: 'leased' };
    default:
      if (live.who !== by) return 'Somebody else than the holder wrote.';
  }
  switch (event.type) {
    case 'LeaseRenewed':
      return model;
    case 'LeaseReleased':
      return { ...free(model), status: model.rest };
    case 'TaskBlocked':
      return { ...model, status: 'blocked' };
    case 'WorkReported':
      return { ...free(model), status: 'reported', reporter: by };
    case 'WorkRejected':
      return { ...free(model), status: 'queued' };
    case 'WorkUnverifiable':
      return { ...free(model), status: 'unverifiable' };
    default:
      return `Nobody wished for ${event.type}.`;
  }
};
