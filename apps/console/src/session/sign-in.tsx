import { useEffect, useRef, useState } from 'preact/hooks';
import { signIn } from '../api.js';
import { Mark } from '../shown/mark.js';

/** Exchanges a credential for a session once; the credential itself is kept nowhere. */
export const SignIn = ({ ended, onSignedIn }: { ended: boolean; onSignedIn: () => void }) => {
  const [credential, setCredential] = useState('');
  const [shown, setShown] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => {
    document.title = 'Sign in · Workbench';
    field.current?.focus();
  }, []);

  const fail = (sentence: string): void => {
    setProblem(sentence);
    field.current?.focus();
  };
  const toggle = (): void => {
    if (field.current) field.current.type = shown ? 'password' : 'text';
    setShown(!shown);
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (credential.trim() === '') return fail('Paste your credential first.');
    setBusy(true);
    const answer = await signIn(credential.trim());
    setBusy(false);
    if (answer.ok) return onSignedIn();
    fail(answer.failure.detail);
  };

  return (
    <main class="alone">
      <form class="sign-in" onSubmit={(event) => void submit(event)} noValidate>
        <p class="wordmark">
          <Mark />
          Workbench
        </p>
        <h1>Sign in</h1>
        {ended && <p role="status">Your session has ended. Sign in to go on where you were.</p>}
        <label for="credential">Credential</label>
        <div class="secret">
          <input
            id="credential"
            ref={field}
            type="password"
            autocomplete="current-password"
            autocapitalize="off"
            spellcheck={false}
            value={credential}
            onInput={(event) => setCredential(event.currentTarget.value)}
            aria-describedby={problem ? 'credential-problem credential-hint' : 'credential-hint'}
            aria-invalid={problem ? 'true' : undefined}
          />
          <button type="button" aria-pressed={shown} onClick={toggle}>
            Show<span class="unseen"> credential</span>
          </button>
        </div>
        {problem && (
          <p id="credential-problem" class="problem" role="alert">
            {problem}
          </p>
        )}
        <p id="credential-hint" class="hint">
          Whoever operates Workbench issues it. It is exchanged for a session on this device and not stored.
        </p>
        <button type="submit" class="primary" aria-disabled={busy}>
          {busy ? 'Signing in…' : 'Sign in'}
        </button>
      </form>
    </main>
  );
};
