import { refusal, type Refusal } from '#libs/kernel';
import type { Disposal } from '../policy/tool-policy.js';
import type { ExecutionContract } from '../verdict.js';
import { entryOf, type PermissionEntry } from './entry.js';
import { inputOf, type AskedPermission, type Judged } from './permission.js';
import { offered } from './presented.js';

/**
 * What a runtime is told of a call. It runs only where `allow` is true. `expiresAt` is in milliseconds. `policies` are those
 * that determined this. `code` says why what was asked for is not run, `feedback` is the owner's, word by word; `toolInput` is
 * there where the owner wrote another input: that is what may run.
 */
export type GateAnswer = Readonly<{
  allow: boolean;
  tier: Judged['tier'];
  reason: string;
  requestId?: string;
  ladder: Judged['ladder'];
  span: Judged['span'];
  effects: Judged['effects'];
  segments: Judged['segments'];
  grantable: boolean;
  proposedGrant?: Judged['proposedGrants'];
  expiresAt?: number;
  policies: readonly string[];
  via?: 'human' | 'grant' | 'policy';
  grants?: readonly string[];
  code?: string;
  feedback?: string;
  toolInput?: Readonly<Record<string, unknown>>;
  contract?: ExecutionContract;
}>;

/** The answer where nobody had to be asked, or nobody is. */
export const answerAtOnce = (judged: Judged, { outcome, policies }: Disposal, contract?: ExecutionContract): GateAnswer => ({
  ...shown(judged),
  allow: outcome === 'run',
  reason: outcome === 'run' ? judged.reason : `Blocked: ${judged.reason}`,
  grantable: outcome === 'run' && judged.grantable,
  policies,
  ...(outcome === 'run' ? { via: 'policy', ...(contract && { contract }) } : { code: 'permission/blocked' }),
});

/** The answer of a request as it stands. */
export const answerOf = (permission: AskedPermission, policies: readonly string[]): GateAnswer => {
  const { requestId, judged, expiresAt, amended } = permission;
  const no = { ...shown(judged), allow: false, requestId, expiresAt: Date.parse(expiresAt), policies };
  switch (permission.status) {
    case 'consumed':
      return {
        ...no,
        allow: true,
        reason: `Approved by ${permission.by.name}: ${judged.reason}`,
        via: permission.via,
        ...(permission.feedback !== undefined && { feedback: permission.feedback }),
        ...(amended && { toolInput: inputOf(permission) }),
      };
    case 'pending':
      return { ...no, reason: `Queued for approval: ${judged.reason}`, code: 'permission/pending', proposedGrant: offered(judged) };
    case 'rejected':
      return {
        ...no,
        reason: `Rejected by ${permission.by.name}.${permission.feedback === undefined ? '' : ` ${permission.feedback}`}`,
        code: 'permission/rejected',
        ...(permission.feedback !== undefined && { feedback: permission.feedback }),
      };
    case 'expired':
      return { ...no, reason: 'It expired and was not run. Ask again.', code: 'permission/expired' };
    case 'cancelled':
      return { ...no, reason: `It was taken back: ${permission.reason}`, code: 'permission/cancelled' };
    case 'approved':
      return { ...no, reason: 'It is approved and not let through yet. Repeat the call with its requestId.', code: 'permission/approved' };
    default:
      return permission satisfies never;
  }
};

/** As `answerOf`, where letting it through was refused for a reason of its own. */
export const answerNo = (permission: AskedPermission, policies: readonly string[], { code, detail }: Refusal): GateAnswer => {
  const { reason, ...rest } = answerOf(permission, policies);
  return { ...rest, allow: false, reason: rest.code === code ? reason : detail, code };
};

/** Whatever went wrong: nothing runs. `tier` is the mildest that is not let through. */
export const deniedByFault = (judged?: Judged): GateAnswer => ({
  ...shown(judged ?? UNJUDGED),
  allow: false,
  reason: FAULT.detail,
  grantable: false,
  policies: [],
  code: FAULT.code,
});

/** The entry of a request, for who may read it, with whether it may run now. */
export type AwaitedAnswer = PermissionEntry & GateAnswer;
export const awaited = (row: Parameters<typeof entryOf>[0], answer: GateAnswer): AwaitedAnswer => ({ ...entryOf(row), ...answer });

const FAULT = refusal('unavailable', 'permission/undecidable', 'Denied: this call cannot be judged right now. Nothing was run; ask again.');
const UNJUDGED: Judged = {
  tier: 'dangerous',
  ladder: 2,
  reason: FAULT.detail,
  span: { start: 0, end: 0 },
  effects: ['unknown'],
  segments: [],
  grantable: false,
  proposedGrants: [],
};

const shown = ({ tier, ladder, span, effects, segments, grantable }: Judged) => ({ tier, ladder, span, effects, segments, grantable });
