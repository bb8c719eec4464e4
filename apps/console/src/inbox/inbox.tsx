import { useEffect, useRef, useState } from 'preact/hooks';
import { readCard, type Me } from '../api.js';
import { closedHere, waiting, type Happened, type State } from '../state.js';
import { linkTo } from '../route.js';
import { Prose } from '../shown/text.js';
import { Left } from '../shown/time.js';
import { Risk } from '../shown/risk.js';
import { plural } from '../words.js';
import { CardList } from './card-list.js';
import { CardPage } from './card-page.js';

type Props = { state: State; happened: (event: Happened) => void; me: Me; id?: string; live: boolean };

/** What waits for a person, beside the one card that is being read. */
export const Inbox = ({ state, happened, me, id, live }: Props) => {
  const [workspace, setWorkspace] = useState('');
  const cards = waiting(state).filter((card) => workspace === '' || card.workspace.id === workspace);
  const closed = closedHere(state);
  useFates(state, happened, id);
  useWayBack(id);
  const Heading = id ? 'h2' : 'h1';
  const next = cards.find((card) => card.confirmationId !== id);
  return (
    <div class="inbox" data-open={id ? '' : undefined}>
      <section class="list" aria-labelledby="inbox-title">
        <header class="list-head">
          <Heading id="inbox-title">Inbox</Heading>
          <p class="hint">{live || cards.length > 0 ? `${cards.length} waiting, riskiest and oldest first` : 'Loading…'}</p>
          {me.workspaces.length > 1 && (
            <select aria-label="Workspace" value={workspace} onChange={(event) => setWorkspace(event.currentTarget.value)}>
              <option value="">All workspaces</option>
              {me.workspaces.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </header>
        {cards.length > 0 && <CardList cards={cards} openId={id} gone={state.gone} />}
        {cards.length === 0 && live && (
          <p class="empty">
            <strong>Nothing waits for you.</strong> A proposal that needs a decision appears here by itself.
          </p>
        )}
        {closed.length > 0 && (
          <section class="closed" aria-labelledby="closed-title">
            <header class="list-head">
              <h3 id="closed-title">Closed while you were here</h3>
              <button type="button" class="link" onClick={() => happened({ type: 'closed_cleared' })}>
                Clear<span class="unseen"> closed cards</span>
              </button>
            </header>
            <CardList cards={closed} openId={id} gone={state.gone} />
          </section>
        )}
      </section>
      {id ? (
        <CardPage key={id} id={id} known={state.cards[id]} rang={state.rang[id] ?? 0} me={me} next={next} happened={happened} />
      ) : (
        <Overview cards={cards} />
      )}
    </div>
  );
};

/** With no card open: how much waits, and what runs out first. */
const Overview = ({ cards }: { cards: ReturnType<typeof waiting> }) => {
  const classes = [...new Map(cards.map((card) => [card.risk.class, card.risk])).values()];
  const first = [...cards].sort((a, b) => Date.parse(a.approvalExpiresAt) - Date.parse(b.approvalExpiresAt))[0];
  return (
    <section class="overview" aria-label="Overview">
      {first ? (
        <>
          <p class="overview-count">{plural(cards.length, 'card')} to decide</p>
          <ul class="plain">
            {classes.map((risk) => (
              <li key={risk.class}>
                <Risk risk={risk} /> <span class="figure">{cards.filter((card) => card.risk.class === risk.class).length}</span>
              </li>
            ))}
          </ul>
          <p class="hint">
            First to run out: <Prose text={first.operation.summary} />, <Left until={first.approvalExpiresAt} />
          </p>
        </>
      ) : (
        <p class="hint">No card is open.</p>
      )}
    </section>
  );
};

/** Leaving a card leads back to its row, or to the top where it has none any more. */
const useWayBack = (id?: string): void => {
  const last = useRef(id);
  useEffect(() => {
    const left = last.current;
    last.current = id;
    if (!left || id) return;
    const row = [...document.querySelectorAll<HTMLElement>('.row')].find((link) => link.getAttribute('href') === linkTo('inbox', left));
    (row ?? document.getElementById('content'))?.focus();
  }, [id]);
};

/** Reads, once each, how the cards ended that were closed elsewhere; the open card reads itself. */
const useFates = (state: State, happened: (event: Happened) => void, openId?: string): void => {
  const asked = useRef(new Set<string>());
  useEffect(() => {
    for (const card of closedHere(state)) {
      const id = card.confirmationId;
      if (id === openId || asked.current.has(id) || (card.status !== 'pending' && card.decision)) continue;
      asked.current.add(id);
      void readCard(id).then((answer) => {
        if (answer.ok) happened({ type: 'card_read', data: { card: answer.value.card } });
      });
    }
  }, [state.cards, state.gone, openId]);
};
