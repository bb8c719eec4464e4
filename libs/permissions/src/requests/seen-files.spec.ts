import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '#libs/kernel';
import { PermissionSettings } from '../permission-settings.js';
import { boundTo, SeenFiles } from './seen-files.js';
import { tableJudgement } from './table-judgement.js';

describe('What a server sees of the files that a call runs', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'seen-'));
  const elsewhere = mkdtempSync(join(tmpdir(), 'elsewhere-'));
  const judgement = tableJudgement(new PermissionSettings());
  const look = (command: string, settings = new PermissionSettings()) => {
    const call = { toolName: 'bash', toolInput: { command }, agentId: 'a', cwd };
    return new SeenFiles(settings).of(call, judgement.judge(call));
  };
  beforeAll(() => {
    writeFileSync(join(cwd, 'a.sh'), 'echo a');
    writeFileSync(join(cwd, 'large.sh'), 'x'.repeat(1_048_577));
    writeFileSync(join(elsewhere, 'b.sh'), 'echo b');
    symlinkSync(join(elsewhere, 'b.sh'), join(cwd, 'link.sh'));
    execFileSync('mkfifo', [join(cwd, 'pipe.sh')]);
  });
  afterAll(() => {
    for (const path of [cwd, elsewhere]) rmSync(path, { recursive: true });
  });

  it('is their content, also through links', async () => {
    expect(await look('bash a.sh')).toEqual([{ path: 'a.sh', sha256: sha256('echo a') }]);
    expect(await look('bash link.sh')).toEqual([{ path: 'link.sh', sha256: sha256('echo b') }]);
    writeFileSync(join(cwd, 'a.sh'), 'echo changed');
    expect(await look('bash a.sh')).toEqual([{ path: 'a.sh', sha256: sha256('echo changed') }]);
  });
  it.each(['large.sh', 'pipe.sh', 'none.sh', '/dev/zero', '.'])('is nothing of %s, and that is said', async (name) => {
    const files = await look(`bash ${name}`);
    expect(files).toEqual([]);
    expect(boundTo(files!)).toContain('not bound');
  });
  it('is nothing outside the directories that it may look into, wherever a link leads', async () => {
    const settings = new PermissionSettings({ scriptRoots: [cwd] });
    expect(await look('bash a.sh', settings)).toHaveLength(1);
    expect(await look('bash link.sh', settings)).toEqual([]);
    expect(await look('bash a.sh', new PermissionSettings({ scriptRoots: [] }))).toEqual([]);
    expect(await look('bash a.sh', new PermissionSettings({ scriptRoots: [`${cwd}-other`] }))).toEqual([]);
  });
});
