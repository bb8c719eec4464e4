import { type Card, type Me } from '../api.js';
import { linkTo } from '../route.js';
import { Notice } from '../shown/notice.js';
import { Prose } from '../shown/text.js';
import { At } from '../shown/time.js';
import { outcomeOf } from '../words.js';
import { Title } from './card-list.js';
import { type Item } from './item.js';

/** Says in place how a card ended, and what can be done now. */
export const CardEnding = ({ card, me, next }: { card: Card; me: Me; next?: Item }) => {
  const outcome = outcomeOf(card, me);
  return (
    <Notice tone={outcome.tone} title={outcome.title} takesFocus>
      <p>
        {card.decision && (
          <>
            <At time={card.decision.at} />
            {'. '}
          </>
        )}
        <Prose text={outcome.detail} />
      </p>
      {card.decision?.reason && (
        <blockquote>
          <Prose text={card.decision.reason} />
        </blockquote>
      )}
      <p class="notice-next">
        {card.supersededBy && <a href={linkTo('inbox', card.supersededBy)}>See the newer proposal</a>}
        {card.operation.queuesWork && card.status === 'committed' && <a href={linkTo('work')}>See it on the work board</a>}
        {next && <Next item={next} />}
      </p>
    </Notice>
  );
};

export const Next = ({ item }: { item: Item }) => (
  <a href={linkTo('inbox', item.id)}>
    Next: <Title of={item} />
  </a>
);

export const BackToInbox = () => (
  <a class="back" href={linkTo('inbox')}>
    <span aria-hidden="true">‹</span> Inbox
  </a>
);
