import { useEffect, useState } from 'preact/hooks';
import { readReceipt, type Receipt } from '../api.js';
import { linkTo } from '../route.js';
import { type Failure } from '../request.js';
import { type Happened, type State } from '../state.js';
import { Missing } from '../shown/missing.js';
import { Notice } from '../shown/notice.js';
import { Code, Prose } from '../shown/text.js';
import { At } from '../shown/time.js';
import { ReceiptView } from './receipt-view.js';
import { useReceipts } from './use-receipts.js';

type Props = { state: State; happened: (event: Happened) => void; id?: string };

/** Finished chains, newest first, beside the one that is being read. */
export const Receipts = ({ state, happened, id }: Props) => {
  const { lines, known, problem, again, older } = useReceipts(state, happened);
  const Heading = id ? 'h2' : 'h1';
  return (
    <div class="inbox" data-open={id ? '' : undefined}>
      <section class="list" aria-labelledby="receipts-title">
        <header class="list-head">
          <Heading id="receipts-title">Receipts</Heading>
          <p class="hint">Shipped work, newest first</p>
        </header>
        {problem && (
          <Notice tone="warn" title="The receipts could not be read" alert>
            <p>{problem}</p>
            <button type="button" onClick={again}>
              Try again
            </button>
          </Notice>
        )}
        {!known && !problem && <p class="empty">Loading…</p>}
        {known && lines.length === 0 && (
          <p class="empty">
            <strong>No receipt yet.</strong> One is issued when verified work ships.
          </p>
        )}
        {lines.length > 0 && (
          <ol class="rows">
            {lines.map((line) => (
              <li key={line.receiptId}>
                <a class="row" href={linkTo('receipts', line.receiptId)} aria-current={line.receiptId === id ? 'true' : undefined}>
                  <span class="row-title">
                    <Prose text={line.title} />
                  </span>
                  <span class="row-meta">
                    <span>
                      <At time={line.shippedAt} />
                    </span>
                    <Code text={line.revision.slice(0, 12)} />
                  </span>
                </a>
              </li>
            ))}
          </ol>
        )}
        {older && (
          <button type="button" class="more" onClick={older}>
            Show older
          </button>
        )}
      </section>
      {id ? (
        <ReceiptPage key={id} id={id} />
      ) : (
        <section class="overview" aria-label="No receipt open">
          <p class="hint">No receipt is open.</p>
        </section>
      )}
    </div>
  );
};

const ReceiptPage = ({ id }: { id: string }) => {
  const [receipt, setReceipt] = useState<Receipt>();
  const [failure, setFailure] = useState<Failure>();
  const read = async (): Promise<void> => {
    const answer = await readReceipt(id);
    if (answer.ok) setReceipt(answer.value);
    setFailure(answer.ok ? undefined : answer.failure);
  };
  useEffect(() => void read(), [id]);
  return (
    <article class="card" aria-busy={!receipt && !failure}>
      <a class="back" href={linkTo('receipts')}>
        <span aria-hidden="true">‹</span> Receipts
      </a>
      {receipt && <ReceiptView receipt={receipt} />}
      {!receipt && <Missing what="receipt" failure={failure} onRetry={() => void read()} />}
    </article>
  );
};
