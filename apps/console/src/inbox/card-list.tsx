import { type Card } from '../api.js';
import { linkTo } from '../route.js';
import { Risk } from '../shown/risk.js';
import { Name, Prose } from '../shown/text.js';
import { Ago, Left } from '../shown/time.js';
import { STATUS } from '../words.js';

/** Cards as rows to choose from. A row only opens its card: nothing is decided from a list that may move under the hand. */
export const CardList = ({ cards, openId, gone }: { cards: Card[]; openId?: string; gone: Record<string, true> }) => (
  <ol class="rows">
    {cards.map((card) => (
      <li key={card.confirmationId}>
        <a class="row" href={linkTo('inbox', card.confirmationId)} aria-current={card.confirmationId === openId ? 'true' : undefined}>
          <span class="row-top">
            <Risk risk={card.risk} />
            {card.status === 'pending' && !gone[card.confirmationId] ? (
              <span class="row-time">
                <Left until={card.approvalExpiresAt} />
              </span>
            ) : (
              <span class="tag" data-status={card.status}>
                {card.status === 'pending' ? 'No longer pending' : STATUS[card.status]}
              </span>
            )}
          </span>
          <span class="row-title">
            <Prose text={card.operation.summary} />
          </span>
          <span class="row-meta">
            <span>
              <Name of={card.agent} /> for <Name of={card.requester} />
            </span>
            <span>
              <Name of={card.workspace} />
            </span>
            <span>
              <Ago since={card.submittedAt} /> ago
            </span>
            {card.conflict.stale && card.status === 'pending' && (
              <span class="tag" data-tone="warn">
                Stale
              </span>
            )}
          </span>
        </a>
      </li>
    ))}
  </ol>
);
