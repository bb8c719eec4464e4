import { type Card, type Permission, type Task } from './api.js';
import { closedHere, closedRequests, evolve, initialState, waiting, waitingRequests, type Happened, type State } from './state.js';

const card = (id: string, over: Partial<Card> = {}): Card =>
  ({
    confirmationId: id,
    status: 'pending',
    risk: { class: 'write', level: 1, why: '' },
    submittedAt: '2026-01-01T10:00:00.000Z',
    targets: [],
    references: [],
    conflict: { stale: false, moved: [] },
    actions: ['approve'],
    ...over,
  }) as Card;
const task = (over: Partial<Task>): Task => ({ taskId: 't', status: 'queued', updatedAt: '2026-01-01T10:00:00.000Z', ...over }) as Task;
const after = (...happened: Happened[]): State => happened.reduce(evolve, initialState);
const snapshot = (...confirmations: Card[]): Happened => ({ type: 'snapshot', data: { confirmations, tasks: [] } });
const ids = (cards: Card[]): string[] => cards.map(({ confirmationId }) => confirmationId);

describe('The inbox', () => {
  it('puts the riskiest first, and of these the oldest', () => {
    const state = after(
      snapshot(
        card('young'),
        card('old', { submittedAt: '2026-01-01T09:00:00.000Z' }),
        card('bulk', { risk: { class: 'bulk', level: 5, why: '' }, submittedAt: '2026-01-01T11:00:00.000Z' }),
      ),
    );
    expect(ids(waiting(state))).toEqual(['bulk', 'old', 'young']);
  });

  it('keeps a card that was closed elsewhere, as closed', () => {
    const state = after(snapshot(card('a')), {
      type: 'card_closed',
      data: { card: card('a', { status: 'expired', actions: ['repropose'] }) },
    });
    expect(waiting(state)).toEqual([]);
    expect(closedHere(state)).toMatchObject([{ confirmationId: 'a', status: 'expired' }]);
  });

  it('knows from a snapshot what was closed while nobody listened, and learns how', () => {
    const lost = after(snapshot(card('a'), card('b')), snapshot(card('b')));
    expect(ids(waiting(lost))).toEqual(['b']);
    expect(ids(closedHere(lost))).toEqual(['a']);
    const read = evolve(lost, { type: 'card_read', data: { card: card('a', { status: 'declined' }) } });
    expect(closedHere(read)).toMatchObject([{ status: 'declined' }]);
    expect(read.gone).toEqual({});
  });

  it('takes nothing for closed that a snapshot had no room for, and goes on where it was cut', () => {
    const next = { confirmations: 'here', tasks: 'there' };
    const cut = after(
      snapshot(card('a'), card('b')),
      { type: 'task', data: { task: task({ taskId: 'old' }) } },
      { type: 'snapshot', data: { confirmations: [card('b')], tasks: [task({ taskId: 'new' })], next } },
    );
    expect(ids(waiting(cut))).toEqual(['a', 'b']);
    expect(Object.keys(cut.tasks)).toEqual(['old', 'new']);
    expect(cut.more).toEqual(next);
    const heard = evolve(cut, { type: 'card_closed', data: { card: card('a', { status: 'declined' }) } });
    const paged = evolve(heard, { type: 'cards_listed', data: { items: [card('a'), card('c')], next: null } });
    expect(ids(waiting(paged))).toEqual(['b', 'c']);
    const done = evolve(paged, {
      type: 'tasks_listed',
      data: { items: [task({ taskId: 'third' }), task({ taskId: 'gone', status: 'shipped' })], next: null },
    });
    expect(Object.keys(done.tasks).sort()).toEqual(['new', 'old', 'third']);
    expect(done.more).toEqual({ confirmations: null, tasks: null });
  });

  it('does not take up a decided card that someone only looked at', () => {
    expect(closedHere(after({ type: 'card_read', data: { card: card('a', { status: 'declined' }) } }))).toEqual([]);
    expect(closedHere(after({ type: 'card', data: { card: card('a', { status: 'declined' }) } }))).toEqual([]);
  });

  it('asks for another reading whenever the feed speaks of a card, and not when it was read', () => {
    const state = after(snapshot(card('a')), { type: 'card', data: { card: card('a') } }, { type: 'card_read', data: { card: card('a') } });
    expect(state.rang).toEqual({ a: 2 });
  });

  it('forgets closed cards when told to', () => {
    const state = after(
      snapshot(card('a'), card('b')),
      { type: 'card_closed', data: { card: card('a', { status: 'declined' }) } },
      { type: 'closed_cleared' },
    );
    expect(closedHere(state)).toEqual([]);
    expect(ids(waiting(state))).toEqual(['b']);
  });
});

describe('A card', () => {
  const shown = { kind: 'work_item', id: 'r', title: '', revision: '3' };
  const moved = (revision: string): Happened => ({ type: 'record', data: { recordId: 'r', revision } });

  it('goes stale when a record that it changes or names moves, and is read again', () => {
    const state = after(snapshot(card('a', { targets: [shown] }), card('b', { references: [shown] }), card('c')), moved('4'));
    expect(waiting(state).map(({ conflict }) => conflict.stale)).toEqual([true, true, false]);
    expect(state.rang).toEqual({ a: 2, b: 2, c: 1 });
  });

  it('does not go stale by what it was made on', () => {
    expect(waiting(after(snapshot(card('a', { targets: [shown] })), moved('3')))[0]?.conflict.stale).toBe(false);
  });
});

describe('A permission request', () => {
  const request = (id: string, over: Partial<Permission> = {}): Permission => ({ id, status: 'pending', ...over }) as Permission;
  const asked = (one: Permission): Happened => ({
    type: one.status === 'pending' ? 'permission' : 'permission_closed',
    data: { permission: one },
  });
  const listed = (known: number, ...pending: Permission[]): Happened => ({ type: 'permissions_read', data: { pending, asked: known } });
  const open = (state: State): string[] => waitingRequests(state).map(({ id }) => id);

  it('that is no longer listed has ended, and how is learnt', () => {
    const state = after(listed(0, request('a'), request('b')), listed(0, request('b')));
    expect(open(state)).toEqual(['b']);
    const read = evolve(state, { type: 'permission_read', data: { permission: request('a', { status: 'expired' }) } });
    expect(closedRequests(read)).toMatchObject([{ id: 'a', status: 'expired' }]);
  });

  it('that came while the list was read is not missing from it', () => {
    expect(open(after(asked(request('a')), listed(0)))).toEqual(['a']);
    expect(open(after(asked(request('a')), listed(1)))).toEqual([]);
  });

  it('that was decided does not come back by an older list', () => {
    expect(open(after(asked(request('a')), asked(request('a', { status: 'approved' })), listed(0, request('a'))))).toEqual([]);
  });

  it('that nobody here was asked is nothing to see', () => {
    expect(after(asked(request('a', { status: 'approved' }))).permissions).toEqual({});
  });

  it('outlives a snapshot of cards, and being cleared leaves what waits', () => {
    const state = after(listed(0, request('a'), request('b')), listed(0, request('b')), snapshot(), { type: 'closed_cleared' });
    expect(open(state)).toEqual(['b']);
    expect(closedRequests(state)).toEqual([]);
  });
});

describe('The work board', () => {
  it('shows what the feed says last, and after a pause only what is still open', () => {
    const leased = after(
      snapshot(),
      { type: 'task', data: { task: task({}) } },
      { type: 'task', data: { task: task({ status: 'leased' }) } },
    );
    expect(leased.tasks.t?.status).toBe('leased');
    expect(evolve(leased, snapshot()).tasks).toEqual({});
  });

  it('reads the receipts again when something shipped', () => {
    expect(
      after({ type: 'task', data: { task: task({ status: 'shipped' }) } }, { type: 'receipt', data: { receiptId: 'r', title: '' } })
        .shipped,
    ).toBe(2);
  });
});

it('ignores what a newer server says beyond this', () => {
  expect(evolve(initialState, { type: 'weather', data: {} } as unknown as Happened)).toBe(initialState);
});
