import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isInScope, type WorkScope } from '#libs/proposals';
import { git, gitDigest, GitError, isObjectId, type GitPlace } from '../git/git.js';
import { inQuarantine, type Quarantine } from '../git/quarantine.js';
import { differences, outOfScope } from '../reports/changed-paths.js';
import type { StatedAtom } from '../reports/report.js';
import type { Artifact, ChangedPath, Finding } from '../task-events.js';
import { runCheck, type Output } from './check-run.js';
import { changesBetween } from './git-changes.js';

/** What a verifier needs of a report to judge it. */
export type InspectedReport = Readonly<{ revision: string; artifacts: readonly Artifact[]; changedPaths: readonly ChangedPath[] }>;

/** A verifier's own findings: no finding and every check passed means that it can be verified. `tree` is '' where the commit is unknown. */
export type Inspection = Readonly<{
  changedPaths: readonly ChangedPath[];
  tree: string;
  findings: readonly Finding[];
  evidence: readonly StatedAtom[];
  /** To be stored as artifacts, so that the evidence is readable. */
  outputs: readonly Output[];
}>;

/**
 * Judges a report by the repository alone (a local path). The report's own words only serve to be compared. Checks run only
 * where nothing was found before: a change that is rejected anyway is not executed. `limitMs` is for each check.
 */
export const inspectReport = (
  repository: string,
  work: WorkScope,
  report: InspectedReport,
  { limitMs = 600_000 }: Readonly<{ limitMs?: number }> = {},
): Promise<Inspection> =>
  inQuarantine(repository, [report.revision, work.baseRevision].filter(isObjectId), async (quarantine) => {
    const { place } = quarantine;
    const unknown = await unknownCommits(place, work.baseRevision, report.revision);
    if (unknown.length > 0) return { ...NOTHING, findings: unknown };

    const tree = (await git(place, 'rev-parse', '--verify', `${report.revision}^{tree}`)).toString('latin1').trim();
    const changes = await changesBetween(place, work.baseRevision, report.revision);
    const findings = [
      ...(await ancestry(place, work.baseRevision, report.revision)),
      ...pathFindings(report.changedPaths, changes.changedPaths, work),
      ...changes.findings,
      ...(await Promise.all(report.artifacts.map((artifact) => artifactFindings(place, report.revision, artifact)))).flat(),
    ];
    const found = { ...NOTHING, changedPaths: changes.changedPaths, tree };
    if (findings.length > 0) return { ...found, findings };
    return { ...found, ...(await runChecks(quarantine, work, report.revision, limitMs)) };
  });

const NOTHING: Inspection = { changedPaths: [], tree: '', findings: [], evidence: [], outputs: [] };

const unknownCommits = async (place: GitPlace, base: string, revision: string): Promise<Finding[]> => {
  const known = await Promise.all([base, revision].map((commit) => isCommit(place, commit)));
  return [
    ...(known[0] ? [] : [{ code: 'git/unknown-base', detail: `The repository does not give the base commit ${base}.` }]),
    ...(known[1] ? [] : [{ code: 'git/unknown-revision', detail: `The repository does not give the reported commit ${revision}.` }]),
  ];
};

const isCommit = async (place: GitPlace, commit: string): Promise<boolean> =>
  isObjectId(commit) && (await succeeds(git(place, 'cat-file', '-e', `${commit}^{commit}`)));

const ancestry = async (place: GitPlace, base: string, revision: string): Promise<Finding[]> =>
  (await succeeds(git(place, 'merge-base', '--is-ancestor', base, revision)))
    ? []
    : [{ code: 'git/base-not-ancestor', detail: `The reported commit does not descend from the accepted base ${base}.` }];

const pathFindings = (reported: readonly ChangedPath[], computed: readonly ChangedPath[], work: WorkScope): Finding[] => {
  const { hidden, claimed } = differences(reported, computed);
  return [
    ...hidden.map((side) => finding('paths/hidden', 'Git shows a change that the report does not name', side)),
    ...claimed.map((side) => finding('paths/claimed', 'The report names a change that git does not show', side)),
    ...outOfScope(computed, work).map((path) => ({
      code: 'paths/out-of-scope',
      detail: 'The accepted scope does not cover this path.',
      path,
    })),
  ];
};

const finding = (code: string, what: string, side: string): Finding => {
  const [change = '', ...path] = side.split(' ');
  return { code, detail: `${what}: ${change}.`, path: path.join(' ') };
};

const artifactFindings = async (place: GitPlace, revision: string, artifact: Artifact): Promise<Finding[]> => {
  const { path, commit, size, sha256 } = artifact;
  // What lies elsewhere can only be judged by its stored bytes.
  if (path === undefined) return [];
  if (commit !== undefined && commit !== revision)
    return [{ code: 'artifact/other-commit', detail: `It is said to be of ${commit}, not of the reported commit.`, path }];
  if (!isInScope(path, { paths: [path] })) return [{ code: 'artifact/path', detail: 'This is not a plain path of the repository.', path }];
  try {
    const found = await gitDigest(place, 'cat-file', 'blob', `${revision}:${path}`);
    if (found.sha256 !== sha256)
      return [{ code: 'artifact/digest-mismatch', detail: `In the reported commit its SHA-256 is ${found.sha256}.`, path }];
    return found.size === size
      ? []
      : [{ code: 'artifact/size-mismatch', detail: `In the reported commit it has ${found.size} bytes.`, path }];
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return [{ code: 'artifact/missing', detail: 'The reported commit holds no such file.', path }];
  }
};

const runChecks = async ({ place, folder }: Quarantine, work: WorkScope, revision: string, limitMs: number) => {
  const runs = [];
  for (const [index, argv] of work.checks.entries()) {
    // Each in a checkout of its own, so that none prepares the ground for the next.
    const cwd = join(folder, `check-${index}`);
    const home = join(folder, `home-${index}`);
    await mkdir(home);
    await git(place, 'worktree', 'add', '--quiet', '--detach', cwd, revision);
    runs.push(await runCheck(labelOf(index, work), argv, { cwd, home, limitMs }));
  }
  return {
    evidence: runs.map(({ atom }) => atom),
    outputs: runs.map(({ output }) => output),
    findings: runs.flatMap(({ atom }) => checkFindings(atom)),
  };
};

/** Its words, where those name this check only, else its index. */
const labelOf = (index: number, { checks }: WorkScope): string => {
  const words = checks.map((argv) => argv.join(' '));
  return words.filter((other) => other === words[index]).length === 1 && !/^\d+$/.test(words[index]!) ? words[index]! : String(index);
};

const checkFindings = ({ check, exitCode, testsRun }: StatedAtom): Finding[] => {
  if (exitCode !== 0) return [{ code: 'check/failed', detail: `${check} ended with ${exitCode}.` }];
  return testsRun === 0 ? [{ code: 'check/zero-tests', detail: `${check} ran no test.` }] : [];
};

const succeeds = (running: Promise<unknown>): Promise<boolean> =>
  running.then(
    () => true,
    (error: unknown) => {
      if (error instanceof GitError) return false;
      throw error;
    },
  );
