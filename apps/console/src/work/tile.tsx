import { type Task } from '../api.js';
import { linkTo } from '../route.js';
import { Code, Name, Prose } from '../shown/text.js';
import { Ago, Left } from '../shown/time.js';
import { plural, TASK_STATUS } from '../words.js';

/** A task on the board: who has it, for how long yet, and if it is stuck, why and who can help. */
export const Tile = ({ task }: { task: Task }) => {
  const why = whyStuck(task);
  const again = task.lastVerdict === 'rejected' && (task.status === 'queued' || task.status === 'leased');
  return (
    <article class="tile" data-status={task.status}>
      {why && (
        <p class="tag" data-status={task.status}>
          {TASK_STATUS[task.status]}
        </p>
      )}
      {again && (
        <p class="tag" data-status="rejected">
          Rejected, to do again
        </p>
      )}
      <h3>
        <Prose text={task.title} />
      </h3>
      {task.blockedQuestion !== undefined && (
        <blockquote>
          <Prose text={task.blockedQuestion} />
        </blockquote>
      )}
      {why && <p class="tile-why">{why}</p>}
      <p class="tile-meta">
        {task.holder && (
          <span>
            <Name of={task.holder} />
          </span>
        )}
        {task.leaseExpiresAt && <Left until={task.leaseExpiresAt} />}
        <span>
          <Ago since={task.status === 'queued' ? task.queuedAt : task.updatedAt} />
          <span class="unseen"> since it last moved</span>
        </span>
        {task.attempts > 0 && task.status !== 'exhausted' && <span>{plural(task.attempts, 'lease')} expired</span>}
        <Code text={task.queue} />
      </p>
      <p class="tile-links">
        <a href={linkTo('inbox', task.proposalId)}>
          Card
          <span class="unseen">
            {' of '}
            <Prose text={task.title} />
          </span>
        </a>
        <AuditId id={task.auditId} />
      </p>
    </article>
  );
};

/** Its end, which tells it apart at a glance; the whole of it on hover and to a screen reader. */
export const AuditId = ({ id }: { id: string }) => (
  <span class="audit" title={`Audit id ${id}`}>
    <span class="unseen">
      Audit id <Code text={id} />
    </span>
    <span aria-hidden="true">
      audit …<Code text={id.slice(-8)} />
    </span>
  </span>
);

const whyStuck = (task: Task): string | undefined => {
  if (task.status === 'blocked') return 'Waits for an answer from an operator.';
  if (task.status === 'exhausted')
    return `Given up after ${plural(task.attempts, 'lease')} expired. An operator can put it back in the queue.`;
  if (task.status === 'unverifiable') return 'The evidence could not be verified. A person has to look at it.';
  return undefined;
};
