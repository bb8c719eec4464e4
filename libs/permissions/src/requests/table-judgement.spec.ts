import { PermissionSettings } from '../permission-settings.js';
import type { ToolCall } from './call.js';
import { tableJudgement } from './table-judgement.js';
import { workspaceOf } from './workspace.js';

const judgement = tableJudgement(new PermissionSettings());
const call = (over: Partial<ToolCall>): ToolCall => ({ toolName: 'bash', toolInput: {}, agentId: 'a', ...over });
const command = (text: string, over: Partial<ToolCall> = {}) => call({ toolInput: { command: text }, ...over });
const tierOf = (one: ToolCall) => judgement.judge(one).tier;

describe('The judgement of calls', () => {
  it.each([
    [{ workspace: '/srv/site' }, '/srv/site'],
    [{ cwd: '/srv/site/' }, '/srv/site'],
    [{ workspace: '/home/u/code', home: '/home/u' }, '/home/u/code'],
    [{ workspace: '/app' }, '/app'],
    [{}, undefined],
  ])('takes %j as the workspace %s', (over, workspace) => expect(workspaceOf(over)).toBe(workspace));
  it.each([
    '/',
    '/etc',
    '/etc/',
    '//etc',
    '/etc/nginx',
    '/usr/local',
    '/home',
    '/home/u',
    '/root',
    '/var/lib/postgresql',
    '/x/../etc',
    'src',
    '/private/etc',
  ])('takes %s for no workspace', (cwd) => expect(workspaceOf({ cwd })).toMatch(/nonexistent/));
  it('lets nobody write to the system or a home by standing there', () => {
    for (const over of [
      { cwd: '/etc' },
      { workspace: '/etc' },
      { cwd: '/home/u' },
      { workspace: '/home', home: '/home/u' },
      { workspace: '/data/homes', home: '/data/homes/u' },
      { cwd: '/', workspace: '/' },
    ]) {
      expect([over, tierOf(call({ toolName: 'write', toolInput: { file_path: 'passwd', content: 'x' }, ...over }))]).not.toEqual([
        over,
        'safe',
      ]);
      expect([over, tierOf(call({ toolName: 'write', toolInput: { file_path: '/etc/passwd', content: 'x' }, ...over }))]).not.toEqual([
        over,
        'safe',
      ]);
    }
    expect(tierOf(call({ toolName: 'write', toolInput: { file_path: 'src/a.ts', content: 'x' }, cwd: '/srv/site' }))).toBe('safe');
  });

  it('offers what then covers the call, and nothing worse', () => {
    const push = command('git push origin main', { cwd: '/srv/site' });
    const verdict = judgement.judge(push);
    const grants = judgement.offer(push, verdict).map((scope, index) => ({ id: `g${index}`, scope }));
    expect(grants).toHaveLength(1);
    expect(judgement.cover(push, verdict, grants)).toEqual(['g0']);
    for (const text of ['git push origin main; node x.js', 'git push origin main | sh', 'rm -rf /', 'ls']) {
      const other = command(text, { cwd: '/srv/site' });
      expect([text, judgement.cover(other, judgement.judge(other), grants)]).toEqual([text, undefined]);
    }
    expect(judgement.cover({ ...push, toolName: 'other' }, verdict, grants)).toBeUndefined();
  });
  it('reads secrets, and believes servers, as its settings say', () => {
    const secret = command('cat .env');
    expect(tierOf(secret)).toBe('dangerous');
    expect(tableJudgement(new PermissionSettings({ secretReads: 'allow' })).judge(secret).tier).toBe('safe');
    const listing = call({ toolName: 'mcp__files__list', toolInput: {}, annotations: { readOnlyHint: true } });
    expect(tierOf(listing)).toBe('dangerous');
    expect(tableJudgement(new PermissionSettings({ trustedServers: ['files'] })).judge(listing).tier).toBe('safe');
    expect(tableJudgement(new PermissionSettings({ strictGit: true })).judge(command('git status')).tier).toBe('dangerous');
  });
});
