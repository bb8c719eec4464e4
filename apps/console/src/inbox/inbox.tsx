import { useEffect, useRef, useState } from 'preact/hooks';
import { listCards, readCard, readPermission, type Me } from '../api.js';
import { closedHere, closedRequests, type Happened, type State } from '../state.js';
import { PermissionPage } from '../permissions/permission-page.js';
import { isPermissionId } from '../permissions/permission-words.js';
import { linkTo } from '../route.js';
import { More } from '../shown/more.js';
import { Left } from '../shown/time.js';
import { Risk } from '../shown/risk.js';
import { plural } from '../words.js';
import { CardList, Title } from './card-list.js';
import { CardPage } from './card-page.js';
import { closedItems, waitingItems, type Item } from './item.js';

type Props = { state: State; happened: (event: Happened) => void; me: Me; id?: string; live: boolean };

/** What waits for a person, beside the one card that is being read. */
export const Inbox = ({ state, happened, me, id, live }: Props) => {
  const [workspace, setWorkspace] = useState('');
  const items = waitingItems(state, workspace, me.workspaces);
  const closed = closedItems(state, me.workspaces);
  useFates(state, happened, id);
  useWayBack(id);
  const Heading = id ? 'h2' : 'h1';
  const Subheading = id ? 'h3' : 'h2';
  const next = items.find((item) => item.id !== id);
  return (
    <div class="inbox" data-open={id ? '' : undefined}>
      <section class="list" aria-labelledby="inbox-title">
        <header class="list-head">
          <Heading id="inbox-title">Inbox</Heading>
          <p class="hint">{live || items.length > 0 ? `${items.length} waiting, riskiest and oldest first` : 'Loading…'}</p>
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
        {items.length > 0 && <CardList items={items} openId={id} />}
        <More cursor={state.more.confirmations} read={listCards} onRead={(data) => happened({ type: 'cards_listed', data })} />
        {items.length === 0 && live && (
          <p class="empty">
            <strong>Nothing waits for you.</strong> What needs a decision appears here by itself.
          </p>
        )}
        {closed.length > 0 && (
          <section class="closed" aria-labelledby="closed-title">
            <header class="list-head">
              <Subheading id="closed-title">Closed while you were here</Subheading>
              <button type="button" class="link" onClick={() => happened({ type: 'closed_cleared' })}>
                Clear<span class="unseen"> closed cards</span>
              </button>
            </header>
            <CardList items={closed} openId={id} />
          </section>
        )}
      </section>
      {id && isPermissionId(id) ? (
        <PermissionPage
          key={id}
          id={id}
          known={state.permissions[id]}
          gone={!!state.gone[id]}
          next={next}
          workspaces={me.workspaces}
          happened={happened}
        />
      ) : id ? (
        <CardPage key={id} id={id} known={state.cards[id]} rang={state.rang[id] ?? 0} me={me} next={next} happened={happened} />
      ) : (
        <Overview items={items} />
      )}
    </div>
  );
};

/** With no card open: how much waits, and what runs out first. */
const Overview = ({ items }: { items: Item[] }) => {
  const classes = [...new Map(items.map(({ risk }) => [risk.class, risk])).values()];
  const first = [...items].sort((a, b) => Date.parse(a.until) - Date.parse(b.until))[0];
  return (
    <section class="overview" aria-label="Overview">
      {first ? (
        <>
          <p class="overview-count">{plural(items.length, 'card')} to decide</p>
          <ul class="plain">
            {classes.map((risk) => (
              <li key={risk.class}>
                <Risk risk={risk} /> <span class="figure">{items.filter((item) => item.risk.class === risk.class).length}</span>
              </li>
            ))}
          </ul>
          <p class="hint">
            First to run out: <Title of={first} />, <Left until={first.until} />
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

/** Reads, once each, how those ended that were closed elsewhere; the open card reads itself. */
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
    for (const { id, status } of closedRequests(state)) {
      if (id === openId || asked.current.has(id) || status !== 'pending') continue;
      asked.current.add(id);
      void readPermission(id).then((answer) => {
        if (answer.ok && answer.value.status !== 'pending') happened({ type: 'permission_read', data: { permission: answer.value } });
      });
    }
  }, [state.cards, state.permissions, state.gone, openId]);
};
