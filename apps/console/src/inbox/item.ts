import { type Card, type Named, type Permission } from '../api.js';
import { LADDER, placeOf } from '../permissions/permission-words.js';
import { closedHere, closedRequests, waiting, waitingRequests, type State } from '../state.js';
import { STATUS } from '../words.js';

/** A card or a permission request, as far as the list tells one from the other. `code`: the title is a command. */
export type Item = {
  id: string;
  title: string;
  code: boolean;
  risk: { class: string; level: number };
  pending: boolean;
  status: string;
  label: string;
  since: string;
  until: string;
  who: Named[];
  where: string;
  stale: boolean;
};

/** What waits for a person: the riskiest first, and of these the oldest. `workspaces` are the person’s own. */
export const waitingItems = (state: State, workspace: string, workspaces: Named[]): Item[] =>
  [
    ...waiting(state)
      .filter((card) => workspace === '' || card.workspace.id === workspace)
      .map((card) => ofCard(state, card)),
    ...waitingRequests(state)
      .filter(({ workspaceId }) => workspace === '' || workspaceId === workspace)
      .map((request) => ofRequest(state, request, workspaces)),
  ].sort((a, b) => b.risk.level - a.risk.level || Date.parse(a.since) - Date.parse(b.since));

export const closedItems = (state: State, workspaces: Named[]): Item[] => [
  ...closedHere(state).map((card) => ofCard(state, card)),
  ...closedRequests(state).map((request) => ofRequest(state, request, workspaces)),
];

const ofCard = (state: State, card: Card): Item => ({
  ...standing(state, card.confirmationId, card.status),
  title: card.operation.summary,
  code: false,
  risk: card.risk,
  since: card.submittedAt,
  until: card.approvalExpiresAt,
  who: [card.agent, card.requester],
  where: card.workspace.name,
  stale: card.conflict.stale,
});

const ofRequest = (state: State, request: Permission, workspaces: Named[]): Item => ({
  ...standing(state, request.id, request.status),
  title: request.command,
  code: true,
  risk: { class: LADDER[request.ladder] ?? '', level: request.ladder },
  since: new Date(request.timestamp).toISOString(),
  until: new Date(request.expiresAt).toISOString(),
  who: [request.agent],
  where: [request.toolName, placeOf(request, workspaces)].filter(Boolean).join(', '),
  stale: false,
});

const standing = (state: State, id: string, status: Card['status'] | Permission['status']) => {
  const over = state.gone[id] && status === 'pending';
  return { id, status, pending: status === 'pending' && !over, label: over ? 'No longer pending' : STATUS[status] };
};
