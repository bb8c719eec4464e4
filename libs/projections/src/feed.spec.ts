import { principal, TENANT, WORKSPACE } from '#libs/kernel/testing';
import { isVisibleTo } from './feed.js';
import type { FeedEntry } from './projection.js';

describe('A feed entry', () => {
  const entry = (over: Partial<FeedEntry> = {}): FeedEntry => ({
    kind: 'card',
    subject: 'proposal-1',
    tenantId: TENANT,
    workspaceId: WORKSPACE,
    audience: {},
    data: {},
    ...over,
  });
  const ann = principal('ann', { roles: ['approver'] });

  it('without an audience is for everyone in its workspace', () => expect(isVisibleTo(entry(), ann)).toBe(true));
  it('is for nobody of another workspace', () => expect(isVisibleTo(entry({ workspaceId: 'elsewhere' }), ann)).toBe(false));
  it('is for nobody of another tenant, even one that is named', () =>
    expect(isVisibleTo(entry({ tenantId: 'elsewhere', audience: { principals: ['ann'] } }), ann)).toBe(false));
  it('is for those who have one of its roles', () => {
    expect(isVisibleTo(entry({ audience: { roles: ['operator', 'approver'] } }), ann)).toBe(true);
    expect(isVisibleTo(entry({ audience: { roles: ['operator'] } }), ann)).toBe(false);
  });
  it('is for those whom it names beside those who have its roles', () => {
    expect(isVisibleTo(entry({ audience: { roles: ['operator'], principals: ['ann'] } }), ann)).toBe(true);
    expect(isVisibleTo(entry({ audience: { principals: ['bob'] } }), ann)).toBe(false);
  });
  it('for an empty list of roles is for nobody', () => expect(isVisibleTo(entry({ audience: { roles: [] } }), ann)).toBe(false));
});
