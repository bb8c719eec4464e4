import { accept, digestOf, refuse, type Command, type Decision } from '#libs/kernel';
import { underFence } from '../leases/fence.js';
import { presentHolder } from '../leases/holder.js';
import { endOf } from '../leases/lease.js';
import type { KnownTask } from '../task.js';
import type { Artifact, ChangedPath, EvidenceAtom, TaskEvent } from '../task-events.js';
import { outOfScope } from './changed-paths.js';
import { beyondStatement } from './statement-size.js';

/** An evidence atom as its sender states it: where it comes from is for the server to say. */
export type StatedAtom = Omit<EvidenceAtom, 'provenance'>;

export type ReportWork = Command<
  'ReportWork',
  Readonly<{
    fence: string;
    revision: string;
    artifacts: readonly Artifact[];
    changedPaths: readonly ChangedPath[];
    evidence: readonly StatedAtom[];
    summary: string;
  }>
>;

/** Ends the lease. The scope check here is an early hint; the verifier computes the paths from git. */
export const reportWork = (command: ReportWork, state: KnownTask): Decision<TaskEvent> =>
  underFence(command, state, 'implementation', (held) => {
    const { fence, revision, artifacts, changedPaths, evidence, summary } = command.data;
    const { taskId, work, scopeDigest } = held.facts;
    if (artifacts.length === 0)
      return refuse('invalid', 'report/no-artifact', 'A report names at least one artifact.', undefined, [
        { pointer: '/artifacts', detail: 'Must name at least one artifact.' },
      ]);
    const placeless = artifacts.findIndex(({ path, uri }) => (path === undefined) === (uri === undefined));
    if (placeless >= 0)
      return refuse('invalid', 'report/artifact-place', 'An artifact has either a path in the reported commit or a URI.', undefined, [
        { pointer: `/artifacts/${placeless}`, detail: 'Must have exactly one of path and uri.' },
      ]);
    const outside = outOfScope(changedPaths, work);
    if (outside.length > 0)
      return refuse(
        'conflict',
        'report/out-of-scope',
        `The accepted scope does not cover ${outside.join(', ')}. Undo that change, or have it proposed.`,
        {
          paths: outside,
          scope: work.paths,
        },
      );

    const tooLarge = beyondStatement('report', { artifacts, changedPaths, evidence, summary });
    if (tooLarge) return tooLarge;
    const reported = {
      revision,
      artifacts,
      changedPaths,
      evidence: evidence.map((atom): EvidenceAtom => ({ ...atom, provenance: 'self_reported' })),
      summary,
    };
    return accept({
      type: 'WorkReported',
      data: {
        ...endOf(held, command.meta.at),
        by: presentHolder(command.meta.actor, held.lease.holder),
        scopeDigest,
        ...reported,
        reportDigest: digestOf({ taskId, fence, scopeDigest, ...reported }),
      },
    });
  });
