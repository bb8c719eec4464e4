import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { fold, given, itDecidesAs, metaOf, principal } from '#libs/kernel/testing';
import { recordKinds, kindOf } from './fields.js';
import { recordDecider, type RecordCommand } from './record.decider.js';
import type { RecordCreated, RecordEvent } from './record.js';

const system = principal('system', { kind: 'service' });
const origin = { proposalId: 'p1', operation: 'record.change', reason: 'because', requester: 'mia', approvedBy: 'ann' };
const create = (kind: string, fields: object, operation = 'record.create') =>
  ({ type: 'CreateRecord', data: { ...origin, operation, kind, fields }, meta: metaOf(system) }) as RecordCommand;
const change = (changes: object, expectedRevision = '0', operation = 'record.change'): RecordCommand => ({
  type: 'ChangeRecord',
  data: { ...origin, operation, expectedRevision, changes: changes as Record<string, unknown> },
  meta: metaOf(system),
});
const archive = (expectedRevision = '0'): RecordCommand => ({
  type: 'ArchiveRecord',
  data: { ...origin, expectedRevision },
  meta: metaOf(system),
});
const created = (kind: string, fields: object): RecordEvent =>
  given(recordDecider).when(create(kind, fields)).decision.events[0] as RecordCreated;

const item = created('work_item', { title: 'Fix the leak' });
const brief = created('content_brief', { title: 'Launch', audience: 'Readers', status: 'accepted', acceptanceCriteria: ['Short'] });
const budget = created('budget', { title: 'Studio', currency: 'EUR', limit: '1000' });

describe('A record', () => {
  it('starts with the initial values of its kind', () => {
    expect(fold(recordDecider, [item])).toMatchObject({
      status: 'active',
      fields: { title: 'Fix the leak', status: 'open', priority: 'normal' },
    });
  });

  it('exists once', () =>
    given(recordDecider, item)
      .when(create('work_item', { title: 'Again' }))
      .thenRefused('record/exists'));

  it('changes at the revision that the card showed', () => {
    const decided = given(recordDecider, item).when(change({ title: 'Fix both leaks' }));
    expect(decided.decision.events[0]).toMatchObject({
      type: 'RecordChanged',
      data: { changes: { title: { before: 'Fix the leak', after: 'Fix both leaks' } } },
    });
    expect(decided.state()).toMatchObject({ fields: { title: 'Fix both leaks' }, revision: 1n });
  });

  it('refuses a change that was shown on an older revision, and names the present one', () => {
    const moved = given(recordDecider, item).when(change({ title: 'A' })).decision.events[0]!;
    const { decision } = given(recordDecider, item, moved).when(change({ title: 'B' }, '0'));
    expect(decision).toMatchObject({ events: [], refusal: { code: 'record/stale', facts: { presentRevision: '1' } } });
  });

  it('refuses a revision that lies ahead', () =>
    given(recordDecider, item)
      .when(change({ title: 'B' }, '5'))
      .thenRefused('record/stale'));

  it('changes no more once archived', () => {
    const archived = given(recordDecider, item).when(archive()).decision.events[0]!;
    given(recordDecider, item, archived)
      .when(change({ title: 'B' }, '1'))
      .thenRefused('record/archived');
    given(recordDecider, item, archived).when(archive('1')).thenRefused('record/archived');
  });

  it('is not found where there is none', () => given(recordDecider).when(archive('-1')).thenRefused('record/not-found'));

  it('names every wrong field by pointer', () => {
    const { refusal } = given(recordDecider, item).when(
      change({ title: '', colour: 'red', priority: 'urgent', labels: ['a', ''] }),
    ).decision;
    expect(refusal?.errors?.map((error) => error.pointer)).toEqual([
      '/changes/title',
      '/changes/colour',
      '/changes/priority',
      '/changes/labels',
    ]);
  });

  it.each(['__proto__', 'constructor', 'toString'])('has no field named %s', (name) =>
    given(recordDecider, item)
      .when(change(Object.fromEntries([[name, 'x']])))
      .thenRefused('record/invalid'),
  );

  it('requires the fields of its kind', () => {
    const { refusal } = given(recordDecider).when(create('decision', { title: 'Which store?' })).decision;
    expect(refusal?.errors).toEqual([{ pointer: '/fields/question', detail: 'This field is required.' }]);
  });

  it('does not lose a required field', () =>
    given(recordDecider, item)
      .when(change({ title: null }))
      .thenRefused('record/invalid'));

  it('counts characters as people do, not UTF-16 units', () =>
    given(recordDecider, item)
      .when(change({ title: '😀'.repeat(200) }))
      .thenTypes('RecordChanged'));
});

describe('A decision record', () => {
  const open = created('decision', { title: 'Store', question: 'Which?', options: ['A', 'B'] });
  it('takes one of its options', () =>
    given(recordDecider, open)
      .when(change({ choice: 'C', rationale: 'best' }))
      .thenRefused('record/invalid'));
  it('takes a choice only with its rationale', () =>
    given(recordDecider, open)
      .when(change({ choice: 'A' }))
      .thenRefused('record/invalid'));
  it('takes a choice with its rationale', () =>
    given(recordDecider, open)
      .when(change({ choice: 'A', rationale: 'best' }))
      .thenTypes('RecordChanged'));
});

describe('A content brief', () => {
  it('is dispatched by its own operation only', () => {
    given(recordDecider, brief)
      .when(change({ status: 'dispatched' }))
      .thenRefused('record/invalid');
    given(recordDecider, brief)
      .when(change({ status: 'dispatched' }, '0', 'brief.dispatch'))
      .thenTypes('RecordChanged');
  });
  it('is dispatched once, and only when accepted', () => {
    const dispatched = given(recordDecider, brief).when(change({ status: 'dispatched' }, '0', 'brief.dispatch')).decision.events[0]!;
    given(recordDecider, brief, dispatched)
      .when(change({ status: 'dispatched' }, '1', 'brief.dispatch'))
      .thenRefused('record/wrong-status');
    const draft = created('content_brief', { title: 'T', audience: 'All', acceptanceCriteria: ['Short'] });
    given(recordDecider, draft)
      .when(change({ status: 'dispatched' }, '0', 'brief.dispatch'))
      .thenRefused('record/wrong-status');
  });
  it('is accepted only with acceptance criteria', () =>
    given(recordDecider, created('content_brief', { title: 'T', audience: 'All' }))
      .when(change({ status: 'accepted' }))
      .thenRefused('record/invalid'));
});

describe('A graph reference', () => {
  it('does not point at itself', () =>
    given(recordDecider)
      .when(create('graph_reference', { title: 'T', source: 'a', target: 'a', relation: 'is' }))
      .thenRefused('record/invalid'));
});

describe('A thread', () => {
  it('gets messages only by a reply', () =>
    given(recordDecider, created('thread', { title: 'T' }))
      .when(change({ messages: [] }))
      .thenRefused('record/invalid'));
});

describe('A budget', () => {
  it('is spent by financial operations only', () =>
    given(recordDecider, budget)
      .when(change({ spent: '10' }))
      .thenRefused('record/invalid'));
  it('is never overspent', () =>
    given(recordDecider, budget)
      .when(change({ spent: '1001' }, '0', 'studio.generate'))
      .thenRefused('record/invalid'));
  it('can be spent to its last unit', () =>
    given(recordDecider, budget)
      .when(change({ spent: '1000' }, '0', 'studio.generate'))
      .thenTypes('RecordChanged'));
  it.each(['-1', '1.5', '1e3', '01', '9'.repeat(19), 1000])('refuses the amount %p', (limit) =>
    given(recordDecider)
      .when(create('budget', { title: 'T', currency: 'EUR', limit }))
      .thenRefused('record/invalid'),
  );
});

describe('Whatever is asked of a record', () => {
  it('is answered by events or by a refusal, never by a throw', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...recordKinds),
        fc.dictionary(fc.oneof(fc.constantFrom('title', 'status', 'options', 'limit', 'messages'), fc.string()), fc.jsonValue()),
        (kind, fields) => {
          const { decision } = given(recordDecider).when(create(kind, fields));
          expect(decision.events.length === 1 || decision.refusal?.kind === 'invalid').toBe(true);
        },
      ),
    ));

  it.each(recordKinds)('a %s has a title', (kind) => expect(kindOf(kind).fields['title']?.required).toBe(true));
});

describe('A record in each of its states', () => {
  const moved = given(recordDecider, item).when(change({ title: 'Fix both leaks' })).decision.events;
  const gone = given(recordDecider, item).when(archive()).decision.events;
  const texts = (n: number, size = 1) => Array.from({ length: n }, () => 'x'.repeat(size));
  const decision = { title: 'Which', question: 'Which one?', options: ['a', 'b'] };
  itDecidesAs(
    join(__dirname, 'record.decisions.jsonl'),
    recordDecider,
    {
      'not created': [],
      'a work item': [item],
      'a changed work item': [item, ...moved],
      'an archived work item': [item, ...gone],
      'an accepted brief': [brief],
      'a draft brief': [created('content_brief', { title: 'Launch', audience: 'Readers' })],
      'a budget': [budget],
      'a decision': [created('decision', decision)],
      'a thread': [created('thread', { title: 'Talk' })],
      'a graph reference': [created('graph_reference', { title: 'Link', source: 'a', target: 'b', relation: 'r', note: 'n' })],
    },
    {
      'a work item is created': create('work_item', { title: 'Fix the leak', status: 'open' }),
      'a work item without its title is created': create('work_item', {}),
      'a work item with unknown fields is created': create('work_item', { title: 'A', 'so/me~thing': 1, constructor: 'x' }),
      'a thread is created': create('thread', { title: 'Talk' }),
      'a decision is created': create('decision', decision),
      'a decision with a choice is created': create('decision', { ...decision, choice: 'a', rationale: 'Because.' }),
      'a decision with a foreign choice is created': create('decision', { ...decision, choice: 'c', rationale: 'Because.' }),
      'a decision without its rationale is created': create('decision', { ...decision, choice: 'a' }),
      'a decision with many options is created': create('decision', { ...decision, options: texts(20, 1_000) }),
      'a decision with too many options is created': create('decision', { ...decision, options: texts(21) }),
      'a decision with too long an option is created': create('decision', { ...decision, options: texts(1, 1_001) }),
      'a decision with an option of two lines is created': create('decision', { ...decision, options: ['a', 'a\nb'] }),
      'a decision with text as options is created': create('decision', { ...decision, options: 'a' }),
      'a written proposal is created': create('proposal', { title: 'T', summary: 'S\nS' }),
      'a written proposal with a blank summary is created': create('proposal', { title: 'T', summary: ' ' }),
      'a graph reference is created': create('graph_reference', { title: 'T', source: 'a', target: 'b', relation: 'r' }),
      'a graph reference to itself is created': create('graph_reference', { title: 'T', source: 'a', target: 'a', relation: 'r' }),
      'a title at its longest is created': create('graph_reference', { title: 'T', source: '😀'.repeat(500), target: 'b', relation: 'r' }),
      'a title beyond its longest is created': create('graph_reference', {
        title: 'T',
        source: 'x'.repeat(501),
        target: 'b',
        relation: 'r',
      }),
      'a brief is created': create('content_brief', { title: 'T', audience: 'A' }),
      'a brief that is dispatched at once is created': create(
        'content_brief',
        { title: 'T', audience: 'A', status: 'dispatched', acceptanceCriteria: ['Short'] },
        'brief.dispatch',
      ),
      'a budget is created': create('budget', { title: 'T', currency: 'EUR', limit: '0' }),
      'a budget in an unknown currency is created': create('budget', { title: 'T', currency: 'XXX', limit: '1' }),
      'a budget with a limit that is no amount is created': create('budget', { title: 'T', currency: 'EUR', limit: '01' }),
      'a budget with an endless limit is created': create('budget', { title: 'T', currency: 'EUR', limit: '9'.repeat(19) }),
      'a budget with a number as limit is created': create('budget', { title: 'T', currency: 'EUR', limit: 7 }),
      'its title changes': change({ title: 'New' }),
      'its title changes to two lines': change({ title: 'New\rer' }),
      'its title changes to a number': change({ title: 7 }),
      'its title is taken away': change({ title: null }),
      'its description is given': change({ description: 'All of it' }),
      'it is answered': change({ messages: [{ text: 'Hello' }] }, '0', 'thread.reply'),
      'it is answered as often as can be': change({ messages: texts(1_000) }, '0', 'thread.reply'),
      'it is answered once too often': change({ messages: texts(1_001) }, '0', 'thread.reply'),
      'it is answered with a text': change({ messages: 'Hello' }, '0', 'thread.reply'),
      'its note is taken away': change({ note: null }),
      'its status changes to one that there is not': change({ status: 'lost' }),
      'its status is taken away': change({ status: null }),
      'it is accepted without criteria': change({ status: 'accepted' }),
      'it is dispatched by its operation': change({ status: 'dispatched' }, '0', 'brief.dispatch'),
      'it is dispatched by another': change({ status: 'dispatched' }),
      'its target changes to its source': change({ target: 'a' }),
      'all is spent': change({ spent: '1000' }, '0', 'studio.generate'),
      'more than all is spent': change({ spent: '1001' }, '0', 'studio.generate'),
      'it is spent by another operation': change({ spent: '1' }),
      'its title changes on a newer revision': change({ title: 'New' }, '1'),
      'it is archived': archive(),
      'it is archived on a newer revision': archive('1'),
    },
  );
});

describe('The kinds of records', () => {
  it('have these fields, with these limits, and no others', () => {
    const file = join(__dirname, 'record-kinds.json');
    const kinds: unknown = JSON.parse(JSON.stringify(Object.fromEntries(recordKinds.map((kind) => [kind, kindOf(kind)]))));
    if (process.env['WRITE_DECISIONS']) writeFileSync(file, `${JSON.stringify(kinds, null, 2)}\n`);
    expect(kinds).toEqual(JSON.parse(readFileSync(file, 'utf8')));
  });
});
