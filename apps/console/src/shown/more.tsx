import { useState } from 'preact/hooks';
import { type Failure } from '../request.js';

type Page<T> = { items: T[]; next: string | null };
type Props<T> = {
  cursor: string | null;
  read: (cursor: string) => Promise<{ ok: true; value: Page<T> } | { ok: false; failure: Failure }>;
  onRead: (page: Page<T>) => void;
};

/** Says that a list goes on, and reads its next page. */
export const More = <T,>({ cursor, read, onRead }: Props<T>) => {
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  if (cursor === null) return null;
  const go = async (): Promise<void> => {
    setBusy(true);
    const page = await read(cursor);
    setBusy(false);
    setProblem(page.ok ? '' : page.failure.detail);
    if (page.ok) onRead(page.value);
  };
  return (
    <p class="hint">
      There is more.{' '}
      <button type="button" class="link" disabled={busy} onClick={() => void go()}>
        Show more
      </button>{' '}
      {problem}
    </p>
  );
};
