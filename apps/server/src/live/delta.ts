import type { Principal } from '#libs/kernel';
import type { FeedItem } from '#libs/projections';
import { cardFor, type CardFold } from '#libs/proposals';

/** What a viewer is sent of an entry: a card carries what this viewer may do with it, at the moment that it was announced. */
export const deltaOf = ({ kind, data, at }: FeedItem, viewer: Principal): unknown => {
  const { card, ...rest } = data as { card?: CardFold };
  return (kind === 'card' || kind === 'card_closed') && card ? { ...rest, card: cardFor(viewer, card, NOTHING_MOVED, at) } : data;
};

const NOTHING_MOVED: ReadonlyMap<string, string> = new Map();
