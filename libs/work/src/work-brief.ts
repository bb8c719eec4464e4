import type { TaskView } from './task-view.js';

/** What an executor needs to begin: the brief, the scope, and what came of an earlier try. Nothing in it widens the scope. */
export const workOf = ({ title, queue, proposalId, brief, work, scopeDigest, report, verdict, answers }: TaskView) => ({
  title,
  queue,
  proposalId,
  brief,
  work,
  scopeDigest,
  answers,
  ...(report && { report }),
  ...(verdict && { verdict }),
});
