import { canonicalJson } from '#libs/kernel';
import { isInScope, MAX_SCOPE_BYTES, scopeFaults, type WorkScope } from './work-scope.js';

const scope = (over: Partial<WorkScope> = {}): WorkScope => ({
  repository: '/srv/site',
  baseRevision: 'a'.repeat(40),
  paths: ['src', 'docs/'],
  commands: [],
  checks: [['npm', 'test']],
  criteria: [],
  ...over,
});

describe('A scope', () => {
  it.each(['src', 'src/a.ts', 'src/a/b.ts', 'docs/x'])('covers %s', (path) => expect(isInScope(path, scope())).toBe(true));
  it.each(['srcs/a.ts', 'lib/a.ts', 'src/../lib', '/src/a', 'src//a', 'src/.git/hooks', 'src\\..\\lib', 'SRC/a', ''])(
    'does not cover %s',
    (path) => expect(isInScope(path, scope())).toBe(false),
  );
  it.each(['..', '/etc', '.git', 'a/.GIT/b', '', '.', 'a\\b', 'a//b'])('may not name %s', (path) =>
    expect(scopeFaults(scope({ paths: ['src', path] }), '/work')).toMatchObject([{ pointer: '/work/paths/1' }]),
  );
  it.each([[[]], [['']]])('may not ask for the check %j', (check) =>
    expect(scopeFaults(scope({ checks: [check] }), '/work')).toMatchObject([{ pointer: '/work/checks/0' }]),
  );
  it('is small enough to be copied into card, task and receipt', () => {
    expect(scopeFaults(scope({ criteria: ['漢'.repeat(MAX_SCOPE_BYTES / 4)] }), '/work')).toEqual([]);
    expect(scopeFaults(scope({ criteria: ['漢'.repeat(MAX_SCOPE_BYTES / 3)] }), '/work')).toMatchObject([{ pointer: '/work' }]);
  });
  it('may ask for a check of one word', () => expect(scopeFaults(scope({ checks: [['make']] }), '/work')).toEqual([]));
  it('has at most 100,000 bytes, and says so', () => {
    expect(MAX_SCOPE_BYTES).toBe(100_000);
    const rest = Buffer.byteLength(canonicalJson(scope({ criteria: [''] })));
    expect(scopeFaults(scope({ criteria: ['x'.repeat(100_000 - rest)] }), '/work')).toEqual([]);
    expect(scopeFaults(scope({ criteria: ['x'.repeat(100_001 - rest)] }), '/work')).toEqual([
      { pointer: '/work', detail: 'Must have at most 100000 bytes together.' },
    ]);
  });
  it('is told what is wrong with a path and a check', () =>
    expect(scopeFaults(scope({ paths: ['..'], checks: [[]] }), '/work')).toEqual([
      { pointer: '/work/paths/0', detail: 'Must be a relative path without "..", ".", empty parts or ".git".' },
      { pointer: '/work/checks/0', detail: 'Must be a program and its arguments.' },
    ]));
});
