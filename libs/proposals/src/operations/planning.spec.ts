import { metaOf, principal } from '#libs/kernel/testing';
import type { RecordCommand } from '#libs/records';
import { actionDigestOf, changesOf, imageOf, rehearse } from './planning.js';

const origin = { proposalId: 'p', operation: 'record.change', reason: 'r', requester: 'mia', approvedBy: '' };
const record = { status: 'active' as const, kind: 'work_item' as const, fields: { title: 'Old', status: 'open' }, revision: 3n };
const change = (changes: object): RecordCommand => ({
  type: 'ChangeRecord',
  data: { ...origin, expectedRevision: '3', changes: changes as Record<string, unknown> },
  meta: metaOf(principal('system', { kind: 'service' })),
});

describe('What a record would refuse', () => {
  it('is told before anybody is asked, pointing at the argument that is wrong', () =>
    expect(
      rehearse(record, change({ title: '', 'a/b~c': 1 }), { recordId: 'r', changes: {} })?.errors?.map(({ pointer }) => pointer),
    ).toEqual(['/arguments/changes/title', '/arguments/changes/a~1b~0c']));
  it('points at the arguments as a whole where the operation names no field', () =>
    expect(rehearse(record, change({ title: '' }), { recordId: 'r', text: 'Hi' })?.errors?.map(({ pointer }) => pointer)).toEqual([
      '/arguments',
    ]));
  it('is nothing where it would be done', () => expect(rehearse(record, change({ title: 'New' }), {})).toBeUndefined());
});

describe('The changes on a card', () => {
  const image = imageOf('r', record);
  it('name what differs, with the old value and the new one', () =>
    expect(changesOf([{ type: 'change', recordId: 'r', changes: { title: 'New', status: 'open' } }], [image])).toEqual([
      { field: 'title', label: 'Title', before: 'Old', after: 'New' },
    ]));
  it('show a field that is taken away', () =>
    expect(changesOf([{ type: 'change', recordId: 'r', changes: { status: null } }], [image])).toMatchObject([
      { before: 'open', after: null },
    ]));
});

describe('An action digest', () => {
  const image = imageOf('r', record);
  const party = (id: string) => ({ id, name: id });
  const action = {
    operation: 'work.dispatch' as const,
    arguments: { recordId: 'r', deep: { a: 1, b: [1, 2] } },
    targets: [image],
    references: [imageOf('brief', record)],
    tenant: party('t'),
    workspace: party('w'),
    agent: party('eve'),
    requester: party('mia'),
    work: { queue: 'code', title: 't', brief: 'b', scope: {} as never, scopeDigest: 'scope' },
  };
  it.each<[string, object]>([
    ['operation', { operation: 'brief.dispatch' }],
    ['nested argument', { arguments: { recordId: 'r', deep: { a: 1, b: [1, 3] } } }],
    ['target revision', { targets: [{ ...image, revision: '4' }] }],
    ['target content', { targets: [{ ...image, digest: 'other' }] }],
    ['reference', { references: [{ ...image, revision: '4' }] }],
    ['tenant', { tenant: party('u') }],
    ['workspace', { workspace: party('v') }],
    ['agent', { agent: party('adam') }],
    ['requester', { requester: party('max') }],
    ['scope', { work: { ...action.work, scopeDigest: 'wider' } }],
  ])('is of one %s', (_, over) => expect(actionDigestOf({ ...action, ...over })).not.toBe(actionDigestOf(action)));
  it('is the same whatever the order of keys, and whatever names are shown', () =>
    expect(
      actionDigestOf({ ...action, arguments: { deep: { b: [1, 2], a: 1 }, recordId: 'r' }, requester: { id: 'mia', name: 'Mia' } }),
    ).toBe(actionDigestOf(action)));
});
