import { chmodSync, existsSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '#libs/kernel';
import type { WorkScope } from '#libs/proposals';
import { testRepository, type TestRepository } from '../testing/repository.js';
import { inspectReport, type InspectedReport } from './git-inspection.js';

// Each runs a dozen real processes.
jest.setTimeout(60_000);

const PASSING = ['node', '-e', 'console.log("fine")'];
const GREET = 'export const greet = (name) => `Hello ${name}`;\n';

describe('A git inspection', () => {
  let repository: TestRepository;
  let base: string;
  const work = (over: Partial<WorkScope> = {}): WorkScope => ({
    repository: repository.path,
    baseRevision: base,
    paths: ['src'],
    commands: [],
    checks: [PASSING],
    criteria: [],
    ...over,
  });
  const report = (revision: string, over: Partial<InspectedReport> = {}): InspectedReport => ({
    revision,
    artifacts: [],
    changedPaths: [{ path: 'src/greet.js', change: 'modified' }],
    ...over,
  });
  const codesOf = async (scope: WorkScope, reported: InspectedReport) =>
    (await inspectReport(repository.path, scope, reported)).findings.map(({ code, path }) =>
      path === undefined ? code : `${code} ${path}`,
    );

  beforeEach(() => {
    repository = testRepository();
    base = repository.commit({
      'src/greet.js': 'export const greet = () => "Hello";\n',
      'src/old.js': `${GREET}// old\n`,
      'package.json': '{}',
    });
  });
  afterEach(() => repository.remove());

  it('of an honest report finds nothing, and gives paths, tree and evidence with its output', async () => {
    const revision = repository.commit({ 'src/greet.js': GREET });
    const artifacts = [
      { path: 'src/greet.js', mediaType: 'text/javascript', size: Buffer.byteLength(GREET), sha256: sha256(GREET), commit: revision },
    ];
    const inspection = await inspectReport(repository.path, work(), report(revision, { artifacts }));
    expect(inspection).toMatchObject({
      findings: [],
      changedPaths: [{ path: 'src/greet.js', change: 'modified' }],
      tree: repository.run('rev-parse', 'HEAD^{tree}'),
      evidence: [{ check: PASSING.join(' '), status: 'passed', exitCode: 0, outputSha256: sha256('fine\n') }],
      outputs: [{ sha256: sha256('fine\n'), bytes: Buffer.from('fine\n') }],
    });
  });
  it('finds a changed file that the report hides', async () => {
    const revision = repository.commit({ 'src/greet.js': GREET, 'src/hidden.js': '' });
    expect(await codesOf(work(), report(revision))).toEqual(['paths/hidden src/hidden.js']);
  });
  it('finds a change that the report makes up', async () => {
    const revision = repository.commit({ 'src/greet.js': GREET });
    const changedPaths = [...report(revision).changedPaths, { path: 'src/made up.js', change: 'added' as const }];
    expect(await codesOf(work(), report(revision, { changedPaths }))).toEqual(['paths/claimed src/made up.js']);
  });
  it('finds a file outside the scope, though the report names it', async () => {
    const revision = repository.commit({ 'package.json': '{"scripts":{}}' });
    expect(await codesOf(work(), report(revision, { changedPaths: [{ path: 'package.json', change: 'modified' }] }))).toEqual([
      'paths/out-of-scope package.json',
    ]);
  });
  it('finds a file that was moved out of the scope', async () => {
    renameSync(join(repository.path, 'src/old.js'), join(repository.path, 'moved.js'));
    const revision = repository.commit({});
    expect(
      await codesOf(work(), report(revision, { changedPaths: [{ path: 'moved.js', from: 'src/old.js', change: 'renamed' }] })),
    ).toEqual(['paths/out-of-scope moved.js']);
  });
  it('finds a file that was moved into the scope from outside', async () => {
    renameSync(join(repository.path, 'package.json'), join(repository.path, 'src/package.json'));
    const revision = repository.commit({});
    const changedPaths = [{ path: 'src/package.json', from: 'package.json', change: 'renamed' as const }];
    expect(await codesOf(work(), report(revision, { changedPaths }))).toEqual(['paths/out-of-scope package.json']);
  });
  it('takes a rename for the same as its two sides', async () => {
    renameSync(join(repository.path, 'src/old.js'), join(repository.path, 'src/new.js'));
    const revision = repository.commit({});
    const changedPaths = [
      { path: 'src/old.js', change: 'deleted' as const },
      { path: 'src/new.js', change: 'added' as const },
    ];
    expect(await codesOf(work(), report(revision, { changedPaths }))).toEqual([]);
  });
  it('finds a change of mode that the report hides behind a change of content', async () => {
    chmodSync(join(repository.path, 'src/greet.js'), 0o755);
    const revision = repository.commit({ 'src/greet.js': GREET });
    expect(await codesOf(work(), report(revision))).toEqual(['paths/hidden src/greet.js']);
    expect((await inspectReport(repository.path, work(), report(revision))).changedPaths).toContainEqual({
      path: 'src/greet.js',
      change: 'mode',
    });
  });
  it.each([
    ['/etc/passwd', true],
    ['../../outside', true],
    ['../.git/config', true],
    ['../package.json', false],
    ['greet.js', false],
  ])('judges a link to %s', async (target, found) => {
    symlinkSync(target, join(repository.path, 'src/link'));
    const revision = repository.commit({});
    const codes = await codesOf(work(), report(revision, { changedPaths: [{ path: 'src/link', change: 'added' }] }));
    expect(codes).toEqual(found ? ['paths/symlink src/link'] : []);
  });
  it('finds a file that became a link', async () => {
    repository.commit({ 'src/greet.js': undefined });
    symlinkSync('/etc/passwd', join(repository.path, 'src/greet.js'));
    const revision = repository.commit({});
    expect(await codesOf(work(), report(revision))).toEqual(['paths/hidden src/greet.js', 'paths/symlink src/greet.js']);
  });
  it('finds a submodule', async () => {
    repository.run('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},src/module`);
    repository.run('commit', '--quiet', '--message', 'A submodule');
    const revision = repository.run('rev-parse', 'HEAD');
    expect(await codesOf(work(), report(revision, { changedPaths: [{ path: 'src/module', change: 'added' }] }))).toEqual([
      'paths/submodule src/module',
    ]);
  });
  it('finds a name that is no text', async () => {
    writeFileSync(Buffer.concat([Buffer.from(join(repository.path, 'src/')), Buffer.from([0xff, 0xfe])]), '');
    const revision = repository.commit({});
    const codes = await codesOf(work(), report(revision, { changedPaths: [] }));
    expect(codes).toContain('paths/not-text \\x7372632ffffe');
  });
  it('finds a commit that does not descend from the accepted base', async () => {
    repository.run('checkout', '--quiet', '--orphan', 'elsewhere');
    const revision = repository.commit({ 'src/greet.js': GREET });
    expect(await codesOf(work(), report(revision))).toEqual(['git/base-not-ancestor']);
  });
  it('finds commits that the repository does not hold', async () => {
    const unknown = 'f'.repeat(40);
    expect(await codesOf(work(), report(unknown))).toEqual(['git/unknown-revision']);
    expect(await codesOf(work({ baseRevision: unknown }), report(base))).toEqual(['git/unknown-base']);
    expect(await codesOf(work(), report('--upload-pack=touch /tmp/owned'))).toEqual(['git/unknown-revision']);
  });
  it.each([
    ['artifact/digest-mismatch', { path: 'src/greet.js', sha256: sha256('other') }],
    ['artifact/size-mismatch', { path: 'src/greet.js', sha256: sha256(GREET), size: 1 }],
    ['artifact/missing', { path: 'src/nowhere.js', sha256: sha256(GREET) }],
    ['artifact/missing', { path: 'src', sha256: sha256(GREET) }],
    ['artifact/path', { path: '../greet.js', sha256: sha256(GREET) }],
    ['artifact/other-commit', { path: 'src/greet.js', sha256: sha256(GREET), commit: 'e'.repeat(40) }],
  ])('finds %s', async (code, stated) => {
    const revision = repository.commit({ 'src/greet.js': GREET });
    const artifacts = [{ mediaType: 'text/javascript', size: Buffer.byteLength(GREET), ...stated }];
    expect(await codesOf(work(), report(revision, { artifacts }))).toEqual([`${code} ${stated.path}`]);
  });
  it('sees the whole of a merge', async () => {
    repository.run('checkout', '--quiet', '-b', 'side');
    repository.commit({ 'src/side.js': '1' });
    repository.run('checkout', '--quiet', 'main');
    repository.commit({ 'src/greet.js': GREET });
    repository.run('merge', '--quiet', '--no-edit', 'side');
    expect(await codesOf(work(), report(repository.run('rev-parse', 'HEAD')))).toEqual(['paths/hidden src/side.js']);
  });

  describe('of checks', () => {
    const checked = async (...checks: string[][]) => {
      const revision = repository.commit({ 'src/greet.js': GREET });
      return inspectReport(repository.path, work({ checks }), report(revision), { limitMs: 20_000 });
    };
    it('finds one that fails', async () => {
      expect(await checked(['node', '-e', 'process.exit(3)'])).toMatchObject({
        findings: [{ code: 'check/failed' }],
        evidence: [{ status: 'failed', exitCode: 3 }],
      });
    });
    it('finds one whose program is not there', async () =>
      expect(await checked(['no-such-program'])).toMatchObject({ evidence: [{ status: 'failed', exitCode: 127 }] }));
    it('finds one that runs no test', async () =>
      expect(await checked(['node', '-e', 'console.log("# tests 0")'])).toMatchObject({
        findings: [{ code: 'check/zero-tests' }],
        evidence: [{ status: 'passed', testsRun: 0 }],
      }));
    it('counts the tests of a real run', async () => {
      const revision = repository.commit({
        'src/greet.js': GREET,
        'src/greet.test.mjs': "import test from 'node:test'; test('a', () => {}); test('b', () => {});",
      });
      const changedPaths = [...report(revision).changedPaths, { path: 'src/greet.test.mjs', change: 'added' as const }];
      const scope = work({ checks: [['node', '--test', '--test-reporter=tap', 'src/greet.test.mjs']] });
      expect(await inspectReport(repository.path, scope, report(revision, { changedPaths }))).toMatchObject({
        findings: [],
        evidence: [{ status: 'passed', testsRun: 2 }],
      });
    });
    it('ends one that does not end, with all that it started', async () => {
      const revision = repository.commit({ 'src/greet.js': GREET });
      const forever = ['sh', '-c', 'sleep 600 & sleep 600'];
      const inspection = await inspectReport(repository.path, work({ checks: [forever] }), report(revision), { limitMs: 300 });
      expect(inspection.evidence).toMatchObject([{ status: 'failed', exitCode: 124 }]);
    });
    it('does not wait for what one leaves behind', async () =>
      expect(await checked(['sh', '-c', 'sleep 600 & echo done'])).toMatchObject({
        evidence: [{ status: 'passed', outputSha256: sha256('done\n') }],
      }));
    it('runs each in a clean checkout of the reported commit', async () => {
      const { evidence } = await checked(
        ['sh', '-c', 'echo dirt > dirt && git status --porcelain'],
        ['sh', '-c', 'test ! -e dirt && cat src/greet.js'],
      );
      expect(evidence).toMatchObject([{ outputSha256: sha256('?? dirt\n') }, { status: 'passed', outputSha256: sha256(GREET) }]);
    });
    it('passes arguments as they are, without a shell', async () => {
      const { evidence } = await checked(['node', '-p', 'process.argv[1]', '$(id); *']);
      expect(evidence).toMatchObject([{ outputSha256: sha256('$(id); *\n') }]);
    });
    it('keeps what an artifact can hold of an endless output', async () => {
      const [output] = (await checked(['node', '-e', 'for (let i = 0; i < 7000; i++) console.log("x".repeat(1000))'])).outputs;
      expect(output?.bytes.length).toBe(5 * 1024 * 1024);
      expect(output?.sha256).toBe(sha256(output!.bytes));
    });
    it('runs none of a change that is rejected anyway', async () => {
      const marker = join(tmpdir(), `workbench-ran-${process.pid}`);
      const revision = repository.commit({ 'src/greet.js': GREET, 'src/hidden.js': '' });
      const inspection = await inspectReport(repository.path, work({ checks: [['touch', marker]] }), report(revision));
      expect(inspection.evidence).toEqual([]);
      expect(existsSync(marker)).toBe(false);
    });
  });

  describe('of a repository that is not to be trusted', () => {
    it('runs none of its hooks, filters and helpers', async () => {
      const marker = join(repository.path, 'ran');
      const revision = repository.commit({ 'src/greet.js': GREET, 'src/.gitattributes': '* filter=evil diff=evil\n' });
      for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change']) {
        writeFileSync(join(repository.path, '.git/hooks', hook), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
      }
      for (const [name, value] of [
        ['core.fsmonitor', `touch ${marker}`],
        ['filter.evil.smudge', `touch ${marker}; cat`],
        ['diff.evil.command', `touch ${marker}`],
        ['diff.external', `touch ${marker}`],
        ['core.sshCommand', `touch ${marker}`],
      ] as const)
        repository.run('config', name, value);
      const changedPaths = [...report(revision).changedPaths, { path: 'src/.gitattributes', change: 'added' as const }];
      expect(await codesOf(work(), report(revision, { changedPaths }))).toEqual([]);
      expect(existsSync(marker)).toBe(false);
    });
    it('is not deceived by replaced objects', async () => {
      const honest = repository.commit({ 'src/greet.js': GREET });
      repository.run('checkout', '--quiet', '-b', 'evil', base);
      const evil = repository.commit({ 'src/greet.js': GREET, 'src/hidden.js': '' });
      repository.run('replace', evil, honest);
      expect(await codesOf(work(), report(evil))).toEqual(['paths/hidden src/hidden.js']);
    });
    it('sees a commit that no branch names', async () => {
      const revision = repository.commit({ 'src/greet.js': GREET });
      repository.run('reset', '--quiet', '--hard', base);
      expect(await codesOf(work(), report(revision))).toEqual([]);
    });
  });
});
