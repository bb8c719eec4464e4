import type { Principal, Recorded } from '#libs/kernel';
import { AT, principal, recorded } from '#libs/kernel/testing';
import { violations } from './separation.js';
import { ann, forged, ida, mia, shippedTask, vera } from './testing/shipped-task.js';

const authored = (by: Principal) => () =>
  ({ meta: { actor: { id: by.id, kind: by.kind }, credentialId: by.credentialId } }) as Partial<Recorded>;
const rulesIn = (events: readonly Recorded[]) => violations(events).map(({ rule, type }) => `${rule} ${type}`);
const withMeta = (events: readonly Recorded[], type: string, by: Principal) =>
  forged(events, type, (event) => ({ meta: { ...event.meta, ...authored(by)().meta } }));

/** An event of a session, as `by` wrote it once everything else had happened. */
const at = (type: string, by: Principal, data: object): Recorded => ({
  ...recorded({ type, data }, { stream: 'session-1', recordedAt: AT }),
  meta: { ...recorded({ type, data }).meta, ...authored(by)().meta },
});

describe('Separation of duties', () => {
  let events: Recorded[];
  beforeAll(async () => {
    ({ events } = await shippedTask());
  });

  it('holds for a round trip in which everyone did their own part', () => expect(violations(events)).toEqual([]));
  it.each<[string, Principal]>([
    ['ConfirmationApproved', mia],
    ['WorkShipped', mia],
    ['LeaseGranted', vera],
    ['MutationCommitted', ida],
    ['TaskQueued', ida],
  ])('is broken where %s was written by a role that may not', (type, by) =>
    expect(rulesIn(withMeta(events, type, by))).toContain(`duty ${type}`),
  );
  it('is broken where the verifier shares lineage with the implementer, also if the event hides it', () => {
    const kin = principal('kin', { kind: 'agent', roles: ['verifier'], accountableHuman: 'ian' });
    const issued = forged(events, 'CredentialIssued', (event) =>
      (event.data as { principalId: string }).principalId === 'vera'
        ? { data: { ...(event.data as object), accountableHuman: kin.accountableHuman } }
        : {},
    );
    expect(rulesIn(issued)).toEqual(['shared-lineage VerificationGranted', 'shared-lineage WorkVerified']);
  });
  it('is broken where a requester decided its own four-eyes proposal', () => {
    const own = forged(events, 'ProposalSubmitted', (event) => ({
      data: { ...(event.data as object), mode: 'four_eyes', requester: { id: 'ann', name: 'ann' } },
    }));
    expect(rulesIn(own)).toEqual(['own-decision ConfirmationApproved']);
  });
  it('is broken where another than its owner decided in a session, or a person’s answer is no person’s', () => {
    const started = at('SessionStarted', ida, { owner: mia.id });
    const resolved = (by: Principal, via: string) => at('ApprovalResolved', by, { approvalId: 'a', allow: true, via });
    const broken = (...more: Recorded[]) => rulesIn([...events, started, ...more]);
    expect(broken(resolved(mia, 'human'), resolved(ida, 'grant'), resolved(ida, 'auto'))).toEqual([]);
    expect(broken(resolved(ann, 'human'))).toEqual(['foreign-decision ApprovalResolved']);
    expect(broken(at('SessionGrantStored', ann, {}))).toEqual(['foreign-decision SessionGrantStored']);
    expect(broken(resolved(ida, 'human'))).toEqual(['duty ApprovalResolved', 'foreign-decision ApprovalResolved']);
    expect(broken(resolved(mia, 'policy'))).toEqual(['duty ApprovalResolved']);
  });
  it('is broken where another than its owner decided on a tool call, or an agent did', () => {
    const requested = at('PermissionRequested', ida, { owner: mia.id });
    const approved = (by: Principal, via: string) => at('PermissionApproved', by, { via });
    const broken = (...more: Recorded[]) => rulesIn([...events, requested, ...more]);
    expect(broken(approved(mia, 'human'), approved(ida, 'grant'), at('PermissionRejected', mia, {}))).toEqual([]);
    expect(broken(approved(ann, 'human'))).toEqual(['foreign-decision PermissionApproved']);
    expect(broken(at('PermissionRejected', ann, {}))).toEqual(['foreign-decision PermissionRejected']);
    expect(broken(approved(ida, 'human'))).toEqual(['duty PermissionApproved', 'foreign-decision PermissionApproved']);
    expect(broken(at('DestructiveEnabled', ida, {}), at('GrantUsed', mia, {}))).toEqual(['duty DestructiveEnabled', 'duty GrantUsed']);
  });
  it('is broken where a credential was never issued, is over, or is of another', () => {
    expect(rulesIn(events.filter(({ stream }) => stream !== `credential-${ida.credentialId}`))).toEqual([
      'unknown-credential LeaseGranted',
      'unknown-credential WorkReported',
    ]);
    const over = forged(events, 'CredentialIssued', (event) => ({
      data: { ...(event.data as object), expiresAt: '2000-01-01T00:00:00.000Z' },
    }));
    expect(rulesIn(over)).toContain('credential-over WorkShipped');
    const borrowed = forged(events, 'WorkShipped', (event) => ({ meta: { ...event.meta, credentialId: mia.credentialId } }));
    expect(rulesIn(borrowed)).toEqual(['wrong-principal WorkShipped']);
  });
  it('is broken where a credential holds roles of two sides', () => {
    const mixed = forged(events, 'CredentialIssued', (event) =>
      (event.data as { principalId: string }).principalId === 'ida'
        ? { data: { ...(event.data as object), roles: ['implementer', 'verifier'] } }
        : {},
    );
    expect(rulesIn(mixed)).toContain('mixed-sides WorkReported');
  });
  it('is broken by an event that is nobody’s duty', () =>
    expect(rulesIn([...events, { ...events.at(-1)!, type: 'ReceiptForged' }])).toEqual(['unknown-event ReceiptForged']));
  it('is broken where the product is half named as the author', () => {
    const half = forged(events, 'TaskQueued', (event) => ({ meta: { ...event.meta, actor: { id: mia.id, kind: mia.kind } } }));
    expect(rulesIn(half)).toEqual(['wrong-principal TaskQueued']);
  });
});
