import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import { FEED, type FeedEvent, type Me } from './api.js';
import { announce } from './announce.js';
import { ConnectionBanner, ConnectionState } from './session/connection.js';
import { Account } from './session/account.js';
import { Grants } from './grants/grants.js';
import { Inbox } from './inbox/inbox.js';
import { follow, type Connection } from './live.js';
import { Receipts } from './receipts/receipts.js';
import { linkTo, useRoute, type Route } from './route.js';
import { Mark } from './shown/mark.js';
import { usePermissions } from './permissions/use-permissions.js';
import { evolve, initialState, waiting, waitingRequests } from './state.js';
import { Board } from './work/board.js';

const PAGES: { page: Route['page']; title: string }[] = [
  { page: 'inbox', title: 'Inbox' },
  { page: 'work', title: 'Work' },
  { page: 'receipts', title: 'Receipts' },
  { page: 'grants', title: 'Grants' },
];

/** The signed-in console: one feed, four pages. */
export const Console = ({ me, onEnded, onSignedOut }: { me: Me; onEnded: () => void; onSignedOut: () => void }) => {
  const [state, happened] = useReducer(evolve, initialState);
  const [connection, setConnection] = useState<Connection>({ state: 'connecting' });
  const feed = useRef<ReturnType<typeof follow>>(null);
  const route = useRoute();

  useEffect(() => {
    let wasLost = false;
    const following = follow(FEED, {
      event: (type, data) => {
        const event = { type, data } as FeedEvent;
        happened(event);
        if (event.type === 'card' && event.data.card.status === 'pending') {
          announce(`New in the inbox: ${event.data.card.operation.summary}, ${event.data.card.risk.class}`);
        }
        if (event.type === 'permission') {
          const { agent, toolName, tier } = event.data.permission;
          announce(`New in the inbox: ${agent.name} asks to use ${toolName}, ${tier}`);
        }
      },
      connection: (now) => {
        setConnection(now);
        if (now.state === 'signed-out') onEnded();
        if (now.state === 'lost' && !wasLost) announce('Connection lost. Trying again.');
        if (now.state === 'live' && wasLost) announce('Connected again. Everything is up to date.');
        wasLost = now.state === 'lost' || (wasLost && now.state !== 'live');
      },
    });
    feed.current = following;
    const online = (): void => following.retryNow();
    addEventListener('online', online);
    return () => {
      removeEventListener('online', online);
      following.stop();
    };
  }, []);

  const arrived = useRef(false);
  useEffect(() => {
    if (arrived.current) document.getElementById('content')?.focus();
    arrived.current = true;
  }, [route.page]);

  usePermissions(connection.state === 'live', state.asked, happened);
  const count = waiting(state).length + waitingRequests(state).length;
  const title = PAGES.find(({ page }) => page === route.page)?.title;
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ''}${title} · Workbench`;
  }, [count, title]);

  return (
    <>
      <a class="skip" href="#content" onClick={skip}>
        Skip to content
      </a>
      <header class="top">
        <a class="wordmark" href={linkTo('inbox')}>
          <Mark />
          Workbench
        </a>
        <nav aria-label="Pages">
          {PAGES.map(({ page, title }) => (
            <a key={page} href={linkTo(page)} aria-current={route.page === page ? 'page' : undefined}>
              {title}
              {page === 'inbox' && count > 0 && (
                <span class="count">
                  {count}
                  <span class="unseen"> pending</span>
                </span>
              )}
            </a>
          ))}
        </nav>
        <ConnectionState connection={connection} />
        <Account me={me} onSignedOut={onSignedOut} />
      </header>
      <ConnectionBanner connection={connection} onRetry={() => feed.current?.retryNow()} />
      <main id="content" tabIndex={-1} data-page={route.page}>
        {route.page === 'inbox' && <Inbox state={state} happened={happened} me={me} id={route.id} live={connection.state === 'live'} />}
        {route.page === 'work' && <Board state={state} happened={happened} live={connection.state === 'live'} />}
        {route.page === 'grants' && <Grants granted={state.granted} me={me} />}
        {route.page === 'receipts' && <Receipts state={state} happened={happened} id={route.id} />}
      </main>
    </>
  );
};

// The fragment is the route, so the link may not change it.
const skip = (event: Event): void => {
  event.preventDefault();
  document.getElementById('content')?.focus();
};
