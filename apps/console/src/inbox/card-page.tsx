import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { readCard, type Card, type Me } from '../api.js';
import { now } from '../clock.js';
import { type Failure } from '../request.js';
import { type Happened } from '../state.js';
import { Missing } from '../shown/missing.js';
import { Notice } from '../shown/notice.js';
import { Prose } from '../shown/text.js';
import { BackToInbox, CardEnding } from './card-ending.js';
import { CardView } from './card-view.js';
import { DecisionBar } from './decision-bar.js';
import { type Item } from './item.js';

/** A card as it was read, with the token that approves exactly this reading. */
export type Reading = { card: Card; token?: string; readAt: number };

type Props = { id: string; known?: Card; rang: number; me: Me; next?: Item; happened: (event: Happened) => void };

/** One card, always from the server's own reading of it; the feed only says when to read again. */
export const CardPage = ({ id, known, rang, me, next, happened }: Props) => {
  const [reading, setReading] = useState<Reading>();
  const [failure, setFailure] = useState<Failure>();
  const latest = useRef(0);

  const reread = useCallback(async (): Promise<Reading | undefined> => {
    const turn = ++latest.current;
    const readAt = now();
    const answer = await readCard(id);
    if (turn !== latest.current) return undefined;
    if (!answer.ok) {
      setFailure(answer.failure);
      return undefined;
    }
    const { card, confirmation_token: token } = answer.value;
    const fresh = { card, token, readAt };
    setFailure(undefined);
    setReading(fresh);
    happened({ type: 'card_read', data: { card } });
    return fresh;
  }, [id]);

  useEffect(() => void reread(), [rang]);
  const card = known ?? reading?.card;

  if (!card) {
    return (
      <article class="card" aria-busy={!failure}>
        <BackToInbox />
        <Missing what="card" failure={failure} onRetry={() => void reread()} />
      </article>
    );
  }

  return (
    <article class="card" aria-labelledby="card-title">
      <BackToInbox />
      <CardView card={card}>
        {card.status !== 'pending' && <CardEnding card={card} me={me} next={next} />}
        {card.status === 'pending' && card.conflict.stale && <Stale card={card} />}
        {failure && card.status === 'pending' && (
          <Notice tone="warn" title="The card could not be read again">
            <p>{failure.detail} It can be approved once it has been read.</p>
            <button type="button" onClick={() => void reread()}>
              Read again
            </button>
          </Notice>
        )}
      </CardView>
      <DecisionBar card={card} reading={reading} reread={reread} me={me} />
    </article>
  );
};

const Stale = ({ card }: { card: Card }) => (
  <Notice tone="warn" title="What this rests on has changed since it was proposed">
    {card.conflict.moved.length > 0 && (
      <ul>
        {card.conflict.moved.map((record) => (
          <li key={record.id}>
            <Prose text={record.title} />: shown at revision {record.shownRevision}, now at revision {record.presentRevision}
          </li>
        ))}
      </ul>
    )}
    <p>{card.actions.includes('repropose') ? 'Propose it again to decide on what is there now.' : 'It can’t be approved as it stands.'}</p>
  </Notice>
);
