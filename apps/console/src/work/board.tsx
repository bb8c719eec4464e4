import { listTasks, type ReceiptLine, type Task, type TaskStatus } from '../api.js';
import { useReceipts } from '../receipts/use-receipts.js';
import { linkTo } from '../route.js';
import { type Happened, type State } from '../state.js';
import { More } from '../shown/more.js';
import { Notice } from '../shown/notice.js';
import { Code, Prose } from '../shown/text.js';
import { At } from '../shown/time.js';
import { plural, TASK_STATUS } from '../words.js';
import { AuditId, Tile } from './tile.js';

const COLUMNS: TaskStatus[] = ['queued', 'leased', 'reported', 'verifying', 'verified', 'shipped'];
const STUCK: TaskStatus[] = ['blocked', 'exhausted', 'unverifiable'];
const SHIPPED_SHOWN = 20;

type Props = { state: State; happened: (event: Happened) => void; live: boolean };

/** Work from the queue to shipped, with what is stuck above it. What shipped is known by its receipts. */
export const Board = ({ state, happened, live }: Props) => {
  const receipts = useReceipts(state, happened);
  const issued = new Set(receipts.lines.map((line) => line.taskId));
  const tasks = Object.values(state.tasks).sort((a, b) => Date.parse(a.queuedAt) - Date.parse(b.queuedAt));
  const of = (status: TaskStatus): Task[] => tasks.filter((task) => task.status === status && !issued.has(task.taskId));
  const stuck = STUCK.flatMap(of);
  const open = tasks.filter((task) => task.status !== 'shipped' && task.status !== 'cancelled').length;
  return (
    <div class="board">
      <header class="page-head">
        <h1>Work</h1>
        <p class="hint">{live || open > 0 ? `${plural(open, 'task')} under way` : 'Loading…'}</p>
      </header>
      {receipts.problem && (
        <Notice tone="warn" title="What has shipped could not be read" alert>
          <p>{receipts.problem}</p>
        </Notice>
      )}
      {stuck.length > 0 && (
        <section class="stuck" aria-labelledby="stuck-title">
          <h2 id="stuck-title">
            Needs someone <span class="figure">{stuck.length}</span>
          </h2>
          <ul class="stuck-tasks">
            {stuck.map((task) => (
              <li key={task.taskId}>
                <Tile task={task} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <More cursor={state.more.tasks} read={listTasks} onRead={(data) => happened({ type: 'tasks_listed', data })} />
      <div class="columns" tabIndex={0} role="region" aria-label="Work by stage">
        {COLUMNS.map((status) => {
          const waiting = of(status);
          const shipped = status === 'shipped' ? receipts.lines : [];
          const count = waiting.length + shipped.length;
          return (
            <section key={status} class="column" data-empty={count === 0 ? '' : undefined} aria-labelledby={`column-${status}`}>
              <h2 id={`column-${status}`}>
                {TASK_STATUS[status]} <span class="figure">{count}</span>
              </h2>
              {count === 0 ? (
                <p class="column-empty">None</p>
              ) : (
                <ul>
                  {waiting.map((task) => (
                    <li key={task.taskId}>
                      <Tile task={task} />
                    </li>
                  ))}
                  {shipped.slice(0, SHIPPED_SHOWN).map((line) => (
                    <li key={line.receiptId}>
                      <ShippedTile line={line} />
                    </li>
                  ))}
                </ul>
              )}
              {shipped.length > SHIPPED_SHOWN && (
                <p class="hint">
                  <a href={linkTo('receipts')}>All receipts</a>
                </p>
              )}
            </section>
          );
        })}
      </div>
    </div>
  );
};

const ShippedTile = ({ line }: { line: ReceiptLine }) => (
  <article class="tile">
    <h3>
      <Prose text={line.title} />
    </h3>
    <p class="tile-meta">
      <At time={line.shippedAt} />
      <Code text={line.revision.slice(0, 12)} />
    </p>
    <p class="tile-links">
      <a href={linkTo('receipts', line.receiptId)}>
        Receipt
        <span class="unseen">
          {' of '}
          <Prose text={line.title} />
        </span>
      </a>
      <AuditId id={line.auditId} />
    </p>
  </article>
);
