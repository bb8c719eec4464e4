import type { CommandBus } from '@nestjs/cqrs';
import { identityEvents, IdentityDirectory } from '#libs/identity';
import {
  derivedId,
  DomainError,
  EventTypes,
  handleCommand,
  idOf,
  InMemoryEventStore,
  newId,
  NO_STREAM,
  refusal,
  streamName,
  type Event,
  type Principal,
  type Recorded,
} from '#libs/kernel';
import { metaOf, principal, TENANT, WORKSPACE } from '#libs/kernel/testing';
import type { Clock } from '#libs/postgres';
import { HandleRecord, recordDecider, recordEvents, type RecordEvent } from '#libs/records';
import { type HandleProposal } from '../proposal.handler.js';
import { proposalDecider, type ProposalCommand } from '../proposal.decider.js';
import { proposalEvents } from '../proposal-events.js';
import type { ConfirmationApproved, ProposalEvent, ProposalSubmitted } from '../proposal.js';
import { actionDigestOf } from '../operations/planning.js';
import { MutationExecution } from './mutation-execution.js';
import { partyOf, ProposalPlanner } from './proposal-planner.js';
import type { SubmitProposal } from './submission.js';

const NOW = '2026-01-05T09:10:00.000Z';
const credentialed = (name: string, over: Partial<Principal>): Principal =>
  principal(derivedId(name), { name, credentialId: derivedId(name, 'credential'), ...over });
const eve = credentialed('eve', { kind: 'agent', roles: ['eve'] });
const mia = credentialed('mia', { roles: ['member'] });
const ELSEWHERE = derivedId('elsewhere');
const max = credentialed('max', { roles: ['member'], workspaceIds: [ELSEWHERE] });
const ann = credentialed('ann', { roles: ['approver'] });
type Plan = SubmitProposal['data']['plan'];
const signed = (data: Plan): Plan => ({ ...data, actionDigest: actionDigestOf(data) });
const origin = { proposalId: newId(), operation: 'record.create', reason: 'r', requester: mia.id, approvedBy: ann.id };

describe('An approval', () => {
  let store: InMemoryEventStore;
  let now: string;
  let recordId: string;
  /** What another worker does when this one has looked at the record's stream for the first time. */
  let meanwhile: (() => Promise<void>) | undefined;

  const bus = (dies = false) =>
    ({
      execute: (sent: HandleRecord | HandleProposal) =>
        sent instanceof HandleRecord
          ? handleCommand(store, recordDecider, sent.id, sent.command)
          : dies
            ? Promise.reject(new Error('killed'))
            : handleCommand(store, proposalDecider, sent.id, sent.command),
    }) as unknown as CommandBus;
  const worker = (commands = bus()) => {
    const clock = { now: () => now } as Clock;
    return new MutationExecution(store, commands, new IdentityDirectory(store, clock, {} as never), clock);
  };
  const append = (stream: string, event: Event, actor: Principal) =>
    store.append(stream, [{ ...event, id: newId(), meta: { ...plainMeta(actor), workspaceId: WORKSPACE } }], NO_STREAM);
  const plainMeta = (actor: Principal) => {
    const { actor: _, at: __, ...meta } = metaOf(actor, { commandId: newId(), auditId: newId() });
    return { ...meta, auditId: meta.auditId!, actor: { id: actor.id, kind: actor.kind }, credentialId: actor.credentialId };
  };
  const handle = (id: string, command: ProposalCommand) => handleCommand(store, proposalDecider, id, command);
  const history = async () => (await store.readStream<RecordEvent>(streamName('record', recordId))).events.map(({ type }) => type);
  const outcome = async (proposalId: string) =>
    (await store.readStream<ProposalEvent>(streamName('proposal', proposalId))).events.at(-1) as Recorded<ProposalEvent>;

  beforeEach(async () => {
    [now, meanwhile] = [NOW, undefined];
    store = new (class extends InMemoryEventStore {
      override async readStream<E extends Event>(stream: string, from?: bigint) {
        const read = await super.readStream<E>(stream, from);
        const interrupt = stream === streamName('record', recordId) ? meanwhile : undefined;
        if (interrupt) meanwhile = undefined;
        await interrupt?.();
        return read;
      }
    })(new EventTypes(identityEvents, recordEvents, proposalEvents));
    for (const workspace of [WORKSPACE, ELSEWHERE])
      await append(`workspace-${workspace}`, { type: 'WorkspaceCreated', data: { name: 'W', by: ann.id, at: NOW } }, ann);
    for (const one of [eve, mia, max, ann])
      await append(
        `credential-${one.credentialId}`,
        {
          type: 'CredentialIssued',
          data: {
            principalId: one.id,
            principalKind: one.kind,
            name: one.name,
            roles: one.roles,
            capabilities: [],
            workspaceIds: one.workspaceIds,
            accountableHuman: one.accountableHuman,
            lineage: one.lineage,
            secretSha256: '0'.repeat(64),
            issuedBy: ann.id,
            at: NOW,
            expiresAt: '2027-01-01T00:00:00.000Z',
          },
        },
        ann,
      );
    recordId = newId();
    const fields = { title: 'Old' };
    await handleCommand(store, recordDecider, recordId, {
      type: 'CreateRecord',
      data: { ...origin, kind: 'work_item', fields },
      meta: metaOf(ann, { commandId: newId(), auditId: newId() }),
    });
  });

  /** A change of the record's title, approved by Ann; `over` is what the stored proposal says instead. */
  const approved = async (over: (data: Plan) => Partial<Plan> = () => ({})): Promise<Recorded<ConfirmationApproved>> => {
    const proposalId = newId();
    const planner = new ProposalPlanner(store, new IdentityDirectory(store, { now: () => now } as Clock, {} as never));
    const parties = {
      agent: partyOf(eve),
      agentCredentialId: eve.credentialId,
      requester: partyOf(mia),
      requesterCredentialId: mia.credentialId,
    };
    const submission = metaOf(eve, { at: NOW, commandId: newId(), auditId: newId() });
    const intent = { operation: 'record.change' as const, arguments: { recordId, changes: { title: 'New' } }, reason: 'Clearer' };
    const planned = await planner.plan(intent, parties, proposalId, submission);
    const plan = { ...planned, ...over(planned) };
    const { events } = await handle(proposalId, { type: 'SubmitProposal', data: { plan, decideMs: 3_600_000 }, meta: submission });
    const { actionDigest, presentedDigest, approvalExpiresAt: expiresAt } = (events[0] as Recorded<ProposalSubmitted>).data;
    const token = { actionDigest, presentedDigest, nonce: 'n', expiresAt };
    const decided = await handle(proposalId, {
      type: 'ApproveConfirmation',
      data: { token, moved: [], releaseMs: 900_000 },
      meta: metaOf(ann, { at: NOW, commandId: newId() }),
    });
    return decided.events[0] as Recorded<ConfirmationApproved>;
  };

  it('is carried out once, however often it is met', async () => {
    const approval = await approved();
    await worker().execute(approval);
    await worker().execute(approval);
    expect(await history()).toEqual(['RecordCreated', 'RecordChanged']);
    expect(await outcome(idOf(approval.stream))).toMatchObject({
      type: 'MutationCommitted',
      data: { receipts: [{ stream: `record-${recordId}`, revision: '1' }], decidedBy: { id: ann.id } },
      meta: { tenantId: TENANT, auditId: approval.meta.auditId, causationId: approval.id, actor: { kind: 'service' } },
    });
  });

  it('is committed by the worker that finds the change in place, though it saw the record move under its hands', async () => {
    const approval = await approved();
    meanwhile = () => expect(worker(bus(true)).execute(approval)).rejects.toThrow('killed');
    await worker().execute(approval);
    expect(await history()).toEqual(['RecordCreated', 'RecordChanged']);
    expect((await outcome(idOf(approval.stream))).type).toBe('MutationCommitted');
  });

  it('is not carried out where the record was changed by another', async () => {
    const approval = await approved();
    await worker().execute(await approved());
    await worker().execute(approval);
    expect(await history()).toEqual(['RecordCreated', 'RecordChanged']);
    expect(await outcome(idOf(approval.stream))).toMatchObject({ type: 'MutationFailed', data: { code: 'record/stale', applied: [] } });
  });

  it.each<[string, string, (data: Plan) => Partial<Plan>]>([
    ['does something else by now than was shown', 'mutation/plan-changed', () => ({ changes: [] })],
    ['is not known any more', 'mutation/operation-unknown', (data) => signed({ ...data, operation: 'record.gone' as never })],
    ['asks for more eyes by now', 'mutation/stricter-mode', (data) => signed({ ...data, operation: 'record.archive' })],
    ['names a record that moved', 'record/stale', (data) => signed({ ...data, references: [{ ...data.targets[0]!, revision: '5' }] })],
    ['was proposed by who is no agent for that', 'mutation/authority-lost', () => ({ agentCredentialId: mia.credentialId })],
    ['was asked for by somebody of another workspace', 'mutation/authority-lost', () => ({ requesterCredentialId: max.credentialId })],
    ['was approved for other arguments', 'mutation/digest-mismatch', () => ({ arguments: {} })],
  ])('of an operation that %s changes nothing', async (_, code, over) => {
    const approval = await approved(over);
    await worker().execute(approval);
    expect(await history()).toEqual(['RecordCreated']);
    expect(await outcome(idOf(approval.stream))).toMatchObject({ type: 'MutationFailed', data: { code } });
  });

  it('waits where the store cannot be written right now: that is no failure of it', async () => {
    const approval = await approved();
    const no = new DomainError(refusal('conflict', 'stream/busy', 'Retry.'));
    const busy = {
      execute: (sent: HandleRecord | HandleProposal) => (sent instanceof HandleRecord ? Promise.reject(no) : bus().execute(sent)),
    } as unknown as CommandBus;
    await expect(worker(busy).execute(approval)).rejects.toThrow('stream/busy');
    expect((await outcome(idOf(approval.stream))).type).toBe('ConfirmationApproved');
    await worker().execute(approval);
    expect((await outcome(idOf(approval.stream))).type).toBe('MutationCommitted');
  });

  it('is carried out up to its release time, and not from then on', async () => {
    const [approval, late] = [await approved(), await approved()];
    now = late.data.releaseBy;
    await worker().execute(late);
    now = NOW;
    await worker().execute(late);
    expect(await outcome(idOf(late.stream))).toMatchObject({ type: 'MutationFailed', data: { code: 'mutation/release-expired' } });
    now = new Date(Date.parse(approval.data.releaseBy) - 1).toISOString();
    await worker().execute(approval);
    expect((await outcome(idOf(approval.stream))).type).toBe('MutationCommitted');
  });

  it.each([
    ['approver', ann],
    ['requester', mia],
    ['agent', eve],
  ])('is not carried out when the %s lost its authority', async (_, who) => {
    const approval = await approved();
    const stream = `credential-${who.credentialId}`;
    const { revision } = await store.readStream(stream);
    const event = { type: 'CredentialRevoked', data: { by: ann.id, reason: 'lost', at: NOW } };
    await store.append(stream, [{ ...event, id: newId(), meta: plainMeta(ann) }], revision);
    await worker().execute(approval);
    expect(await history()).toEqual(['RecordCreated']);
    expect(await outcome(idOf(approval.stream))).toMatchObject({ type: 'MutationFailed', data: { code: 'mutation/authority-lost' } });
  });
});
