import { useEffect, useRef, useState } from 'preact/hooks';
import { type Me, signOut } from '../api.js';
import { Name } from '../shown/text.js';

/** Who one is here: in whose name every decision is recorded. */
export const Account = ({ me, onSignedOut }: { me: Me; onSignedOut: () => void }) => {
  const menu = useRef<HTMLDetailsElement>(null);
  const [problem, setProblem] = useState<string>();

  // Only the server can end a session: one that was not reached has not.
  const leave = async (): Promise<void> => {
    const answer = await signOut();
    if (answer.ok || answer.failure.status === 401) return onSignedOut();
    setProblem(`You are still signed in. ${answer.failure.detail}`);
  };

  useEffect(() => {
    const close = (event: Event): void => {
      const details = menu.current;
      if (!details?.open) return;
      if (event instanceof KeyboardEvent ? event.key !== 'Escape' : details.contains(event.target as Node)) return;
      details.open = false;
      if (event instanceof KeyboardEvent) details.querySelector('summary')?.focus();
    };
    addEventListener('click', close);
    addEventListener('keydown', close);
    return () => {
      removeEventListener('click', close);
      removeEventListener('keydown', close);
    };
  }, []);
  return (
    <details class="account" ref={menu}>
      <summary>
        <span class="unseen">Account: </span>
        <Name of={me} />
      </summary>
      <div class="account-panel">
        <dl>
          <dt>Signed in as</dt>
          <dd>
            <Name of={me} />
          </dd>
          <dt>Roles</dt>
          <dd>{me.roles.length > 0 ? me.roles.join(', ') : 'none'}</dd>
          <dt>Tenant</dt>
          <dd>
            <Name of={me.tenant} />
          </dd>
          <dt>{me.workspaces.length === 1 ? 'Workspace' : 'Workspaces'}</dt>
          <dd>
            {me.workspaces.map((workspace, i) => (
              <span key={workspace.id}>
                {i > 0 && ', '}
                <Name of={workspace} />
              </span>
            ))}
          </dd>
        </dl>
        {problem && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <button type="button" onClick={() => void leave()}>
          Sign out
        </button>
      </div>
    </details>
  );
};
