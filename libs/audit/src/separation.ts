import { idOf, SYSTEM_ID, type Recorded, type Role } from '#libs/kernel';
import { sideOf } from '#libs/identity';
import type { DenialEvent, EnablementEvent, GrantEvent, PermissionEvent } from '#libs/permissions';
import type { ProposalEvent } from '#libs/proposals';
import type { RecordEvent } from '#libs/records';
import type { ConversationEvent, SessionEvent, Via } from '#libs/sessions';
import { sharedLineage, type Holder, type TaskEvent } from '#libs/work';

type CredentialIssued = Readonly<{
  principalId: string;
  principalKind: string;
  roles: readonly Role[];
  accountableHuman: string;
  lineage: Readonly<{ sessions: readonly string[] }>;
  expiresAt: string;
}>;
type IdentityType = 'CredentialIssued' | 'CredentialRevoked' | 'TenantCreated' | 'WorkspaceCreated' | 'WorkspaceArchived';
/** `product`: what no person or agent decides, written by the product itself. */
type Duty = Role | 'product';

const people: readonly Duty[] = ['approver', 'operator', 'member'];
/** A lease of either kind: the kind in the data says whose it is. */
const HOLDER = { implementation: ['implementer'], verification: ['verifier'] } as const;
const runners: readonly Duty[] = ['eve', 'implementer', 'verifier'];
/** Only a person decides; a grant or a policy answers within the runner's own request, and nobody's answer is written by whoever is there. */
const RESOLVER: Readonly<Record<Via, readonly Duty[]>> = {
  human: people,
  grant: runners,
  policy: runners,
  auto: [...runners, ...people, 'product'],
};

/**
 * Who may have written which event. Kept apart from the table that routes ask, on purpose: it judges what that one let through.
 * A new type of event without a row does not compile.
 */
export const DUTIES: Readonly<
  Record<
    | ProposalEvent['type']
    | RecordEvent['type']
    | TaskEvent['type']
    | PermissionEvent['type']
    | GrantEvent['type']
    | EnablementEvent['type']
    | DenialEvent['type']
    | SessionEvent['type']
    | ConversationEvent['type']
    | IdentityType,
    readonly Duty[]
  >
> = {
  CredentialIssued: ['operator', 'product'],
  CredentialRevoked: ['operator', 'product'],
  TenantCreated: ['operator', 'product'],
  WorkspaceCreated: ['operator', 'product'],
  WorkspaceArchived: ['operator'],

  RecordCreated: ['product'],
  RecordChanged: ['product'],
  RecordArchived: ['product'],

  ProposalSubmitted: ['eve', ...people],
  ConfirmationApproved: ['approver'],
  ConfirmationDeclined: ['approver'],
  ConfirmationExpired: ['product', 'approver'],
  ConfirmationInvalidated: ['product', 'approver'],
  ProposalWithdrawn: ['eve', ...people],
  ProposalSuperseded: ['product'],
  MutationCommitted: ['product'],
  MutationFailed: ['product'],

  TaskQueued: ['product'],
  LeaseGranted: ['implementer'],
  LeaseRenewed: ['implementer', 'verifier'],
  LeaseReleased: ['implementer', 'verifier'],
  LeaseExpired: ['product'],
  LeaseRevoked: ['operator', 'verifier', 'product'],
  StaleLeaseRejected: ['implementer', 'verifier'],
  TaskBlocked: ['implementer'],
  TaskUnblocked: ['operator', 'implementer'],
  TaskExhausted: ['product'],
  TaskRequeued: ['operator'],
  TaskCancelled: ['operator'],
  WorkReported: ['implementer'],
  VerificationGranted: ['verifier'],
  VerificationExpired: ['product'],
  VerificationRefused: ['verifier'],
  WorkVerified: ['verifier'],
  WorkRejected: ['verifier'],
  WorkUnverifiable: ['verifier'],
  WorkShipped: ['operator'],
  ReceiptIssued: ['product'],

  PermissionRequested: runners,
  PermissionAmended: people,
  PermissionApproved: [...people, ...runners],
  PermissionRejected: people,
  PermissionExpired: ['product', ...people, ...runners],
  PermissionConsumed: runners,
  PermissionCancelled: ['product', ...runners],
  GrantCreated: [...people, 'product'],
  GrantUsed: runners,
  GrantRevoked: people,
  GrantExpired: ['product', ...runners],
  DestructiveEnabled: people,
  DestructiveDisabled: people,
  CallBlocked: runners,
  ForeignPermissionReached: [...runners, ...people],
  DenialsOmitted: [...runners, ...people],

  SessionStarted: [...runners, ...people],
  ChildSessionStarted: [...runners, ...people],
  ApprovalRequested: runners,
  ApprovalAmended: people,
  ApprovalResolved: RESOLVER.auto,
  SessionGrantStored: people,
  SessionGrantRevoked: people,
  SessionCancelled: [...runners, ...people, 'product'],
  ConversationGrantStored: people,
  ConversationGrantUsed: runners,
  ConversationGrantRevoked: people,
};

/** One event that should not be: `detail` says why, for people. */
export type Violation = Readonly<{
  rule:
    | 'unknown-event'
    | 'unknown-credential'
    | 'wrong-principal'
    | 'credential-over'
    | 'mixed-sides'
    | 'duty'
    | 'own-decision'
    | 'foreign-decision'
    | 'shared-lineage';
  eventId: string;
  type: string;
  stream: string;
  detail: string;
}>;

type Issued = CredentialIssued & Readonly<{ tenantId: string; revoked: boolean }>;

/**
 * Separation of duties, judged from the events of the whole store alone, in its order: nobody wrote what their role forbids, decided
 * their own four-eyes proposal or in another's session, or judged work whose lineage they share. Empty = proven. It trusts neither routes nor deciders.
 */
export const violations = (events: readonly Recorded[]): Violation[] => {
  const credentials = new Map<string, Issued>();
  const asked = new Map<string, Recorded>();
  const owners = new Map<string, string>();
  const workers = new Map<string, { holder: Holder; eventId: string; type: string }[]>();
  const found: Violation[] = [];

  for (const event of events) {
    const report = (rule: Violation['rule'], detail: string) =>
      found.push({ rule, eventId: event.id, type: event.type, stream: event.stream, detail });
    const credential = credentials.get(event.meta.credentialId);
    const fault = authorFault(event, credential);
    if (fault) report(...fault);

    switch (event.type as keyof typeof DUTIES) {
      case 'CredentialIssued':
        credentials.set(idOf(event.stream), { ...(event.data as CredentialIssued), tenantId: event.meta.tenantId, revoked: false });
        break;
      case 'CredentialRevoked': {
        const revoked = credentials.get(idOf(event.stream));
        if (revoked) credentials.set(idOf(event.stream), { ...revoked, revoked: true });
        break;
      }
      case 'ProposalSubmitted':
        asked.set(event.stream, event);
        break;
      case 'ConfirmationApproved':
      case 'ConfirmationDeclined': {
        const detail = ownDecision(event, asked.get(event.stream));
        if (detail) report('own-decision', detail);
        break;
      }
      case 'PermissionRequested':
      case 'SessionStarted':
        owners.set(event.stream, (event.data as { owner: string }).owner);
        break;
      case 'PermissionApproved':
      case 'PermissionAmended':
      case 'PermissionRejected':
      case 'ApprovalResolved':
      case 'ApprovalAmended':
      case 'SessionGrantStored':
        if ([undefined, 'human'].includes((event.data as Stated).via))
          if (owners.get(event.stream) !== event.meta.actor.id) report('foreign-decision', 'Its owner did not decide this.');
        break;
      case 'LeaseGranted':
      case 'WorkReported': {
        const holder = witnessed(event, credential);
        workers.set(event.stream, [...(workers.get(event.stream) ?? []), { holder, eventId: event.id, type: event.type }]);
        break;
      }
      case 'VerificationGranted':
      case 'WorkVerified':
      case 'WorkRejected':
      case 'WorkUnverifiable': {
        const tie = sharedLineage(witnessed(event, credential), workers.get(event.stream) ?? []);
        if (tie) report('shared-lineage', `The verifier shares the ${tie.relation} of ${tie.proof.type} ${tie.proof.eventId}.`);
        break;
      }
      default:
        break;
    }
  }
  return found;
};

const authorFault = (
  { type, data, meta, recordedAt }: Recorded,
  credential: Issued | undefined,
): [Violation['rule'], string] | undefined => {
  if (!Object.hasOwn(DUTIES, type)) return ['unknown-event', `${type} is nobody's duty.`];
  const allowed = dutyOf(type as keyof typeof DUTIES, data as Stated);

  if (meta.credentialId === SYSTEM_ID || meta.actor.id === SYSTEM_ID) {
    if (meta.actor.id !== SYSTEM_ID || meta.credentialId !== SYSTEM_ID || meta.actor.kind !== 'service')
      return ['wrong-principal', 'It is half attributed to the product itself.'];
    return allowed.includes('product') ? undefined : ['duty', `The product itself never writes ${type}.`];
  }
  if (!credential) return ['unknown-credential', `Credential ${meta.credentialId} was not issued before.`];
  if (credential.principalId !== meta.actor.id || credential.principalKind !== meta.actor.kind)
    return ['wrong-principal', `Credential ${meta.credentialId} belongs to ${credential.principalId}.`];
  if (credential.revoked || recordedAt >= credential.expiresAt)
    return ['credential-over', `Credential ${meta.credentialId} was ${credential.revoked ? 'revoked' : 'expired'}.`];
  if (sideOf(credential.roles) === undefined)
    return ['mixed-sides', `Credential ${meta.credentialId} holds ${credential.roles.join(', ')}.`];
  return credential.roles.some((role) => allowed.includes(role))
    ? undefined
    : ['duty', `${type} is the duty of ${allowed.join(' or ')}, and it was written as ${credential.roles.join(', ')}.`];
};

type Stated = Readonly<{ kind?: keyof typeof HOLDER; via?: Via }>;
const dutyOf = (type: keyof typeof DUTIES, { kind, via }: Stated): readonly Duty[] => {
  if (type === 'LeaseRenewed' || type === 'LeaseReleased') return HOLDER[kind!] ?? [];
  return type === 'ApprovalResolved' || type === 'PermissionApproved' ? (RESOLVER[via!] ?? []) : DUTIES[type];
};

/** Whoever decides is a human, and under four eyes neither the one who asked nor the one who put it forward again. */
const ownDecision = ({ meta }: Recorded, submitted: Recorded | undefined): string | undefined => {
  if (!submitted) return 'There is no proposal to decide.';
  if (meta.actor.kind !== 'human') return 'It was not decided by a human.';
  const { mode, requester } = submitted.data as { mode: string; requester: { id: string } };
  const own = [requester.id, submitted.meta.actor.id].includes(meta.actor.id);
  return mode === 'four_eyes' && own ? 'Four eyes were asked for, and whoever asked decided it.' : undefined;
};

/** The holder that an event names, with the lineage that its credential was issued with: neither may take a tie away. */
const witnessed = ({ data, meta }: Recorded, credential: Issued | undefined): Holder => {
  const { holder, by } = data as { holder?: Holder; by?: Holder };
  const stated = (holder ?? by)!;
  return {
    ...stated,
    principalId: meta.actor.id,
    credentialId: meta.credentialId,
    accountableHuman: credential?.accountableHuman ?? stated.accountableHuman,
    sessions: [...new Set([...stated.sessions, ...(credential?.lineage.sessions ?? [])])],
  };
};
