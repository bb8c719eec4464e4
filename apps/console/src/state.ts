import { type Card, type FeedEvent, type More, type Permission, type ReceiptLine, type Task } from './api.js';

/**
 * What the console knows. `gone` marks a card or request that is no longer listed: it was closed while nobody listened, and how
 * is yet to be read. `rang` counts what was said of a card, `shipped` how often something shipped, `asked` and `granted` what was
 * said of requests and of grants: each a reason to read again. `more` says where the lists go on that a snapshot cut short.
 */
export type State = {
  cards: Record<string, Card>;
  gone: Record<string, true>;
  rang: Record<string, number>;
  permissions: Record<string, Permission>;
  asked: number;
  granted: number;
  tasks: Record<string, Task>;
  receipts: Record<string, ReceiptLine>;
  shipped: number;
  more: More;
};
const COMPLETE: More = { confirmations: null, tasks: null };
export const initialState: State = {
  cards: {},
  gone: {},
  rang: {},
  permissions: {},
  asked: 0,
  granted: 0,
  tasks: {},
  receipts: {},
  shipped: 0,
  more: COMPLETE,
};

export type Happened =
  | FeedEvent
  | { type: 'cards_listed'; data: { items: Card[]; next: string | null } }
  | { type: 'tasks_listed'; data: { items: Task[]; next: string | null } }
  | { type: 'card_read'; data: { card: Card } }
  /** `asked`: the count when the reading began; where nothing was said since, what is not listed is no longer pending. */
  | { type: 'permissions_read'; data: { pending: Permission[]; asked: number } }
  | { type: 'permission_read'; data: { permission: Permission } }
  | { type: 'receipts_read'; data: { receipts: ReceiptLine[] } }
  | { type: 'closed_cleared' };

export const evolve = (state: State, happened: Happened): State => {
  switch (happened.type) {
    case 'snapshot':
    case 'resync_required': {
      const pending = byId(happened.data.confirmations, (card) => card.confirmationId);
      const more = happened.data.next ?? COMPLETE;
      // Of a list that was cut short, what is not in it may still wait.
      const missing = more.confirmations
        ? []
        : Object.values(state.cards).filter((card) => card.status === 'pending' && !pending[card.confirmationId]);
      return {
        ...state,
        cards: { ...state.cards, ...pending },
        gone: marked([...missing.map((card) => card.confirmationId), ...Object.keys(state.gone).filter((id) => state.permissions[id])]),
        rang: Object.keys({ ...state.rang, ...pending }).reduce(ring, state.rang),
        // Where all that is open is listed, what is not has ended.
        tasks: { ...(more.tasks && state.tasks), ...byId(happened.data.tasks, (task) => task.taskId) },
        more,
        shipped: state.shipped + 1,
        granted: state.granted + 1,
      };
    }
    case 'cards_listed': {
      const { items, next } = happened.data;
      return { ...items.reduce(keepOlder, state), more: { ...state.more, confirmations: next } };
    }
    case 'tasks_listed': {
      const { items, next } = happened.data;
      const open = items.filter(({ status }) => status !== 'shipped' && status !== 'cancelled');
      return { ...state, tasks: { ...byId(open, (task) => task.taskId), ...state.tasks }, more: { ...state.more, tasks: next } };
    }
    case 'card':
    case 'card_closed': {
      const { card } = happened.data;
      const known = card.status === 'pending' || state.cards[card.confirmationId] ? keep(state, card) : state;
      return { ...known, rang: ring(known.rang, card.confirmationId) };
    }
    case 'card_read': {
      const { card } = happened.data;
      // Someone followed a link to a decided card: that is reading, not something that happened here.
      return card.status === 'pending' || state.cards[card.confirmationId] ? keep(state, card) : state;
    }
    case 'record': {
      const { recordId, revision } = happened.data;
      const moved = waiting(state).filter((card) => shows(card, recordId, revision));
      const stale = moved.map((card) => ({ ...card, conflict: { ...card.conflict, stale: true } }));
      return {
        ...state,
        cards: { ...state.cards, ...byId(stale, (card) => card.confirmationId) },
        rang: moved.map((card) => card.confirmationId).reduce(ring, state.rang),
      };
    }
    case 'permission':
    case 'permission_closed':
    case 'permission_read': {
      const { permission } = happened.data;
      const asked = state.asked + (happened.type === 'permission_read' ? 0 : 1);
      return { ...(permission.status === 'pending' || state.permissions[permission.id] ? hold(state, permission) : state), asked };
    }
    case 'permissions_read': {
      const { pending, asked } = happened.data;
      const listed = byId(pending, ({ id }) => id);
      const missing = waitingRequests(state).filter(({ id }) => asked === state.asked && !listed[id]);
      const seen = pending.reduce(hold, state);
      return { ...seen, gone: { ...seen.gone, ...marked(missing.map(({ id }) => id)) } };
    }
    case 'grant':
      return { ...state, granted: state.granted + 1 };
    case 'task': {
      const { task } = happened.data;
      const shipped = task.status === 'shipped' ? state.shipped + 1 : state.shipped;
      return { ...state, tasks: { ...state.tasks, [task.taskId]: task }, shipped };
    }
    case 'receipt':
      return { ...state, shipped: state.shipped + 1 };
    case 'receipts_read':
      return { ...state, receipts: { ...state.receipts, ...byId(happened.data.receipts, (line) => line.receiptId) } };
    case 'closed_cleared':
      return {
        ...state,
        cards: byId(waiting(state), (card) => card.confirmationId),
        permissions: byId(waitingRequests(state), ({ id }) => id),
        gone: {},
      };
    default:
      return state;
  }
};

export const isOpen = (state: State, card: Card): boolean => card.status === 'pending' && !state.gone[card.confirmationId];
/** Cards that wait for a person: the riskiest first, and of these the oldest. */
export const waiting = (state: State): Card[] =>
  Object.values(state.cards)
    .filter((card) => isOpen(state, card))
    .sort((a, b) => b.risk.level - a.risk.level || compare(a.submittedAt, b.submittedAt) || compare(a.confirmationId, b.confirmationId));
/** Cards that were closed while this console was open, by whomever. */
export const closedHere = (state: State): Card[] => Object.values(state.cards).filter((card) => !isOpen(state, card));

/** Requests that wait for the person here, and those that no longer do. */
export const waitingRequests = (state: State): Permission[] => Object.values(state.permissions).filter((one) => isPending(state, one));
export const closedRequests = (state: State): Permission[] => Object.values(state.permissions).filter((one) => !isPending(state, one));
const isPending = (state: State, { id, status }: Permission): boolean => status === 'pending' && !state.gone[id];

// A list may be older than what was heard since; nothing decided becomes pending again.
const hold = (state: State, permission: Permission): State => {
  const known = state.permissions[permission.id];
  if (permission.status === 'pending' && known && known.status !== 'pending') return state;
  const { [permission.id]: _, ...gone } = state.gone;
  return { ...state, permissions: { ...state.permissions, [permission.id]: permission }, gone };
};
const marked = (ids: string[]): Record<string, true> => Object.fromEntries(ids.map((id) => [id, true]));
const keep = (state: State, card: Card): State => {
  const { [card.confirmationId]: _, ...gone } = state.gone;
  return { ...state, cards: { ...state.cards, [card.confirmationId]: card }, gone };
};
// What the feed said may be newer than a page of a list.
const keepOlder = (state: State, card: Card): State => (state.cards[card.confirmationId] ? state : keep(state, card));
const shows = (card: Card, recordId: string, revision: string): boolean =>
  [...card.targets, ...card.references].some((record) => record.id === recordId && record.revision !== revision);
const ring = (rang: Record<string, number>, id: string): Record<string, number> => ({ ...rang, [id]: (rang[id] ?? 0) + 1 });
const byId = <T>(items: T[], id: (item: T) => string): Record<string, T> => Object.fromEntries(items.map((item) => [id(item), item]));
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
