import { identityEvents, IdentityDirectory } from '#libs/identity';
import { derivedId, EventTypes, handleCommand, InMemoryEventStore, newId } from '#libs/kernel';
import { AT, metaOf, principal, WORKSPACE } from '#libs/kernel/testing';
import type { Clock } from '#libs/postgres';
import { recordDecider, recordEvents, type RecordKind } from '#libs/records';
import { proposalEvents } from '../proposal-events.js';
import { ProposalPlanner } from './proposal-planner.js';

const ELSEWHERE = derivedId('elsewhere');
const STRANGERS = derivedId('strangers');
const eve = principal(derivedId('eve'), { kind: 'agent', roles: ['eve'], workspaceIds: [WORKSPACE, ELSEWHERE] });
const parties = {
  agent: { id: eve.id, name: 'Eve' },
  agentCredentialId: eve.credentialId,
  requester: { id: derivedId('mia'), name: 'Mia' },
  requesterCredentialId: derivedId('mia', 'credential'),
};
const work = {
  repository: '/srv/site',
  baseRevision: 'a'.repeat(40),
  paths: ['src'],
  commands: [],
  checks: [['npm', 'test']],
  criteria: [],
};

describe('A plan', () => {
  let store: InMemoryEventStore;
  beforeEach(() => {
    store = new InMemoryEventStore(new EventTypes(identityEvents, recordEvents, proposalEvents));
  });
  const create = async (kind: RecordKind, fields: object, over: Partial<ReturnType<typeof metaOf>> = {}): Promise<string> => {
    const recordId = newId();
    const origin = { proposalId: newId(), operation: 'record.create', reason: 'r', requester: 'mia', approvedBy: 'ann' };
    await handleCommand(store, recordDecider, recordId, {
      type: 'CreateRecord',
      data: { ...origin, kind, fields: fields as Record<string, unknown> },
      meta: metaOf(eve, { commandId: newId(), auditId: newId(), ...over }),
    });
    return recordId;
  };
  const plan = (operation: 'record.change' | 'records.archiveMany' | 'studio.generate', args: object, workspaceId = WORKSPACE) =>
    new ProposalPlanner(store, new IdentityDirectory(store, { now: () => AT } as Clock, {} as never)).plan(
      { operation, arguments: args as Record<string, unknown>, reason: 'r' },
      parties,
      newId(),
      metaOf(eve, { commandId: newId(), workspaceId }),
    );

  it('does not know a record of another workspace, though its agent works in both', async () => {
    const recordId = await create('work_item', { title: 'Theirs' }, { workspaceId: ELSEWHERE });
    const args = { recordId, changes: { title: 'Ours' } };
    await expect(plan('record.change', args)).rejects.toThrow('record/not-found');
    expect(await plan('record.change', args, ELSEWHERE)).toMatchObject({ targets: [{ id: recordId }], workspace: { id: ELSEWHERE } });
  });
  it('does not know a record of another tenant', async () => {
    const stranger = { ...eve, tenantId: STRANGERS };
    const recordId = await create('work_item', { title: 'Theirs' }, { actor: stranger, tenantId: STRANGERS });
    await expect(plan('record.change', { recordId, changes: { title: 'Ours' } })).rejects.toThrow('record/not-found');
  });
  it('of many records knows none where one is of another workspace', async () => {
    const recordIds = [await create('work_item', { title: 'A' }), await create('work_item', { title: 'B' }, { workspaceId: ELSEWHERE })];
    await expect(plan('records.archiveMany', { recordIds })).rejects.toThrow('record/not-found');
  });
  it('does not refer to a record of another workspace either', async () => {
    const budgetId = await create('budget', { title: 'Studio', currency: 'EUR', limit: '1000' });
    const brief = { title: 'Launch', audience: 'All', acceptanceCriteria: ['Short'], status: 'accepted' };
    const briefId = await create('content_brief', brief, { workspaceId: ELSEWHERE });
    const generate = (named: string) => plan('studio.generate', { budgetId, briefId: named, amount: '10', work });
    await expect(generate(briefId)).rejects.toThrow('record/not-found');
    expect(await generate(await create('content_brief', brief))).toMatchObject({ mode: 'four_eyes', references: [{ title: 'Launch' }] });
  });
  it('holds whole amounts of money, however large', async () => {
    const budgetId = await create('budget', { title: 'Vault', currency: 'EUR', limit: '900719925474099300' });
    const briefId = await create('content_brief', { title: 'Launch', audience: 'All' });
    expect(await plan('studio.generate', { budgetId, briefId, amount: '900719925474099299', work })).toMatchObject({
      changes: [{ field: 'spent', before: '0', after: '900719925474099299' }],
    });
    await expect(plan('studio.generate', { budgetId, briefId, amount: '900719925474099301', work })).rejects.toThrow('record/invalid');
  });
});
