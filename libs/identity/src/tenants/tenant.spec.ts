import { join } from 'node:path';
import { SYSTEM_ID } from '#libs/kernel';
import { AT, given, itDecidesAs, metaOf, principal, recorded, TENANT, WORKSPACE } from '#libs/kernel/testing';
import { ROOT_TENANT_ID, tenantDecider, type CreateTenant, type TenantCreated } from './tenant.js';
import { within } from './reach.js';
import { workspaceDecider, type WorkspaceCommand, type WorkspaceEvent } from './workspace.js';

const otto = principal('otto', { roles: ['operator'] });
const found = (foundedIn: string, actor = otto): CreateTenant => ({
  type: 'CreateTenant',
  data: { name: 'Acme', foundedIn },
  meta: metaOf(actor),
});
const founded: TenantCreated = { type: 'TenantCreated', data: { name: 'Acme', foundedIn: ROOT_TENANT_ID, by: 'otto', at: AT } };

describe('A tenant', () => {
  it('is founded from the root tenant', () => given(tenantDecider).when(found(ROOT_TENANT_ID)).then(founded));
  it('is not founded from any other tenant', () => given(tenantDecider).when(found(TENANT)).thenRefused('tenant/not-root'));
  it('is founded by the product itself where there is none yet', () =>
    given(tenantDecider)
      .when(found(TENANT, principal(SYSTEM_ID)))
      .thenTypes('TenantCreated'));
  it('is founded once', () => given(tenantDecider, founded).when(found(ROOT_TENANT_ID)).thenRefused('tenant/exists'));
});

const open: WorkspaceCommand = { type: 'CreateWorkspace', data: { name: 'Main' }, meta: metaOf(otto) };
const archive: WorkspaceCommand = { type: 'ArchiveWorkspace', data: { reason: 'done' }, meta: metaOf(otto) };
const opened: WorkspaceEvent = { type: 'WorkspaceCreated', data: { name: 'Main', by: 'otto', at: AT } };
const archived: WorkspaceEvent = { type: 'WorkspaceArchived', data: { reason: 'done', by: 'otto', at: AT } };

describe('A workspace', () => {
  it('is opened', () => given(workspaceDecider).when(open).then(opened));
  it('is opened once', () => given(workspaceDecider, opened).when(open).thenRefused('workspace/exists'));
  it('is archived', () => given(workspaceDecider, opened).when(archive).then(archived));
  it('is archived once', () => given(workspaceDecider, opened, archived).when(archive).thenRefused('workspace/archived'));
  it('has to exist to be archived', () => given(workspaceDecider).when(archive).thenRefused('workspace/not-found'));

  it('is reached by the operator who opened it, and by no other', () => {
    const workspace = workspaceDecider.evolve({ status: 'none' }, recorded(opened));
    const reached = (actor: string, tenantId = TENANT) =>
      within(metaOf(principal(actor, { tenantId })), 'new', new Map([['new', workspace]])).actor.workspaceIds;
    expect(reached('otto')).toEqual([WORKSPACE, 'new']);
    expect(reached('ann')).toEqual([WORKSPACE]);
    expect(reached('otto', 'other-tenant')).toEqual([WORKSPACE]);
  });
});

describe('A tenant in each of its states', () =>
  itDecidesAs(
    join(__dirname, 'tenant.decisions.jsonl'),
    tenantDecider,
    { 'not founded': [], founded: [founded] },
    {
      'the root tenant founds it': found(ROOT_TENANT_ID),
      'another tenant founds it': found(TENANT),
      'the product founds it': found(TENANT, principal(SYSTEM_ID)),
    },
  ));

describe('A workspace in each of its states', () =>
  itDecidesAs(
    join(__dirname, 'workspace.decisions.jsonl'),
    workspaceDecider,
    { 'not opened': [], open: [opened], archived: [opened, archived] },
    { 'it is opened': open, 'it is archived': archive },
  ));

describe('The reach of an operator', () => {
  const meta = metaOf(otto, { correlationId: 'kept' });
  const workspace = workspaceDecider.evolve({ status: 'none' }, recorded(opened));
  it('keeps the command and its sender as they are, but for the workspaces', () => {
    expect(within(meta, 'new', new Map([['new', workspace]]))).toEqual({
      ...meta,
      workspaceId: 'new',
      actor: { ...otto, workspaceIds: [WORKSPACE, 'new'] },
    });
  });
  it('names each workspace once, and none that was never opened', () => {
    const all = new Map([
      [WORKSPACE, workspace],
      ['none', { status: 'none', tenantId: TENANT, createdBy: 'otto' } as never],
    ]);
    expect(within(meta, WORKSPACE, all).actor.workspaceIds).toEqual([WORKSPACE]);
  });
});
