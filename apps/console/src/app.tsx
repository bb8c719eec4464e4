import { useCallback, useEffect, useState } from 'preact/hooks';
import { type Me, readMe } from './api.js';
import { whenSignedOut, type Failure } from './request.js';
import { Console } from './console.js';
import { SignIn } from './session/sign-in.js';
import { Notice } from './shown/notice.js';

type Session =
  { state: 'unknown' } | { state: 'unreachable'; failure: Failure } | { state: 'out'; ended: boolean } | { state: 'in'; me: Me };

/** Nobody, or someone. Where one was and what one typed outlive the change. */
export const App = () => {
  const [session, setSession] = useState<Session>({ state: 'unknown' });

  const refresh = useCallback(async () => {
    const me = await readMe();
    if (me.ok) return setSession({ state: 'in', me: me.value });
    if (me.failure.status === 401) return setSession({ state: 'out', ended: false });
    setSession({ state: 'unreachable', failure: me.failure });
  }, []);

  const ended = useCallback(() => setSession((before) => (before.state === 'in' ? { state: 'out', ended: true } : before)), []);

  useEffect(() => {
    whenSignedOut(ended);
    void refresh();
  }, []);
  useEffect(() => {
    if (session.state !== 'unreachable') return;
    const timer = setTimeout(() => void refresh(), 5000);
    return () => clearTimeout(timer);
  }, [session]);

  switch (session.state) {
    case 'unknown':
      return <main class="alone" aria-busy="true" aria-label="Workbench is loading" />;
    case 'unreachable':
      return (
        <main class="alone">
          <h1 class="unseen">Workbench</h1>
          <Notice tone="warn" title="Workbench cannot be reached" alert>
            <p>{session.failure.detail} Trying again every few seconds.</p>
            <button type="button" onClick={() => void refresh()}>
              Try now
            </button>
          </Notice>
        </main>
      );
    case 'out':
      return <SignIn ended={session.ended} onSignedIn={() => void refresh()} />;
    case 'in':
      return <Console me={session.me} onEnded={ended} onSignedOut={() => setSession({ state: 'out', ended: false })} />;
  }
};
