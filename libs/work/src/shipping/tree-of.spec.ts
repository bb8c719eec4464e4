import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { testRepository, type TestRepository } from '../testing/repository.js';
import { treeOf } from './tree-of.js';

jest.setTimeout(30_000);

describe('The tree of a commit', () => {
  let repository: TestRepository;
  let revision: string;
  let tree: string;
  beforeAll(() => {
    repository = testRepository();
    revision = repository.commit({ 'a/b.txt': 'b' });
    tree = repository.run('rev-parse', 'HEAD^{tree}');
  });
  afterAll(() => repository.remove());

  it('is read from a repository under an allowed root', async () => {
    expect(await treeOf(repository.path, revision, [repository.path])).toBe(tree);
    expect(await treeOf(pathToFileURL(repository.path).href, revision, ['/nowhere', dirname(repository.path)])).toBe(tree);
  });
  it('is the same for another commit with the same content', async () => {
    const again = repository.commit({});
    expect(again).not.toBe(revision);
    expect(await treeOf(repository.path, again, [repository.path])).toBe(tree);
  });
  it.each([
    ['there is no allowed root', () => [repository.path, []] as const],
    ['the repository is elsewhere', () => [repository.path, [join(repository.path, 'a')]] as const],
    ['the folder only begins like an allowed root', () => [repository.path, [repository.path.slice(0, -1)]] as const],
    ['it is remote', () => ['https://example.org/demo.git', ['/']] as const],
    ['it is no repository, but lies in one', () => [join(repository.path, 'a'), [join(repository.path, 'a')]] as const],
  ])('is unknown where %s', async (_, place) => {
    const [path, roots] = place();
    expect(await treeOf(path, revision, roots)).toBeUndefined();
  });
  it('is unknown where a link leads out of the root', async () => {
    const root = mkdtempSync(join(tmpdir(), 'workbench-root-'));
    mkdirSync(join(root, 'in'));
    symlinkSync(repository.path, join(root, 'in/link'));
    expect(await treeOf(join(root, 'in/link'), revision, [root])).toBeUndefined();
    rmSync(root, { recursive: true });
  });
  it.each(['f'.repeat(40), 'HEAD', '--all', ''])('is unknown for %s', async (unknown) =>
    expect(await treeOf(repository.path, unknown, [repository.path])).toBeUndefined(),
  );
});
