import type { Recorded } from '#libs/kernel';
import type { ProposalEvent } from '#libs/proposals';

/** What somebody wishes of a pending card. `token` numbers the card that was read. */
export type Wish = Readonly<{ who: string } & ({ kind: 'approve'; token: string } | { kind: 'decline' | 'withdraw' | 'expire' })>;
export type Model = Readonly<
  | { status: 'pending'; moved: boolean }
  | { status: 'approved'; token: string; done: boolean }
  | { status: 'declined' | 'expired' | 'withdrawn' | 'stale' }
>;

export const predict = (model: Model, wish: Wish): string => {
  switch (model.status) {
    case 'pending':
      return wish.kind === 'approve' && model.moved ? 'confirmation/stale' : 'ok';
    case 'approved':
      return wish.kind === 'approve' && wish.token === model.token ? 'confirmation/token-used' : 'confirmation/decided';
    case 'declined':
      return 'confirmation/decided';
    case 'expired':
      return 'confirmation/expired';
    case 'withdrawn':
      return 'confirmation/closed';
    case 'stale':
      return 'confirmation/stale';
  }
};

export const leaves = ({ kind }: Wish): string =>
  ({ approve: 'ConfirmationApproved', decline: 'ConfirmationDeclined', withdraw: 'ProposalWithdrawn', expire: 'ConfirmationExpired' })[
    kind
  ];

/** The next state, or a sentence that says which promise this event breaks. */
export const follow =
  (tokenOf: (nonce: string) => string) =>
  (model: Model, event: Recorded<ProposalEvent>): Model | string => {
    if (event.type === 'MutationCommitted' || event.type === 'MutationFailed') {
      if (model.status !== 'approved') return 'Something was done that nobody approved.';
      return model.done ? 'It was done twice.' : { ...model, done: true };
    }
    if (model.status !== 'pending') return 'A second decision was taken.';
    switch (event.type) {
      case 'ConfirmationApproved':
        return model.moved
          ? 'A card was approved that is not true any more.'
          : { status: 'approved', token: tokenOf(event.data.tokenNonce), done: false };
      case 'ConfirmationDeclined':
        return { status: 'declined' };
      case 'ProposalWithdrawn':
        return { status: 'withdrawn' };
      case 'ConfirmationExpired':
        return { status: 'expired' };
      case 'ConfirmationInvalidated':
        return model.moved ? { status: 'stale' } : 'A card went stale whose record has not moved.';
      default:
        return `Nobody wished for ${event.type}.`;
    }
  };
