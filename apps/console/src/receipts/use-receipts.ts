import { useCallback, useEffect, useState } from 'preact/hooks';
import { listReceipts, type ReceiptLine } from '../api.js';
import { type Happened, type State } from '../state.js';

/** Receipts, newest first: the first page again whenever something shipped, older ones when asked for. */
export const useReceipts = (state: State, happened: (event: Happened) => void) => {
  const [next, setNext] = useState<string | null>();
  const [problem, setProblem] = useState<string>();

  const read = useCallback(async (cursor: string | null): Promise<void> => {
    const page = await listReceipts(cursor);
    if (!page.ok) return setProblem(page.failure.detail);
    setProblem(undefined);
    // Reading the first page again does not forget how far one has come.
    setNext((before) => (cursor === null && before !== undefined ? before : page.value.next));
    happened({ type: 'receipts_read', data: { receipts: page.value.items } });
  }, []);
  useEffect(() => void read(null), [state.shipped]);

  const lines: ReceiptLine[] = Object.values(state.receipts).sort((a, b) => Date.parse(b.shippedAt) - Date.parse(a.shippedAt));
  return {
    lines,
    /** False until the first page has come. */
    known: next !== undefined,
    problem,
    again: () => void read(null),
    older: next ? () => void read(next) : undefined,
  };
};
