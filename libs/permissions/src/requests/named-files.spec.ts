import { PermissionSettings } from '../permission-settings.js';
import type { ToolCall } from './call.js';
import { namedFiles } from './named-files.js';
import { tableJudgement } from './table-judgement.js';

const judgement = tableJudgement(new PermissionSettings());
const named = (command: string, over: Partial<ToolCall> = {}) => {
  const call: ToolCall = { toolName: 'bash', toolInput: { command }, agentId: 'a', cwd: '/srv/site', home: '/home/u', ...over };
  return namedFiles(call, judgement.judge(call));
};
const places = (command: string, over: Partial<ToolCall> = {}) => named(command, over)?.map(({ at }) => at);

describe('Files that a call runs', () => {
  it.each([
    ['bash script.sh', ['/srv/site/script.sh']],
    ['python x.py --fast data.csv', ['/srv/site/x.py']],
    ['node ./job.js', ['/srv/site/job.js']],
    ['./run.sh --fast', ['/srv/site/run.sh']],
    ['sh -x "a b.sh"', ['/srv/site/a b.sh']],
    ["sh 'it'\"'\"'s.sh'", ["/srv/site/it's.sh"]],
    ['. ../env.sh', ['/srv/env.sh']],
    ['timeout 5 bash s.sh', ['/srv/site/s.sh']],
    ['/usr/bin/python3 /tmp/x.py', ['/usr/bin/python3', '/tmp/x.py']],
    ['python ~/x.py', ['/home/u/x.py']],
  ])('of %s are %j', (command, at) => expect(places(command)).toEqual(at));
  it.each([
    ['node --require ./h.js job.js', ['/srv/site/h.js', '/srv/site/job.js']],
    ['node --require=./h.js job.js', ['/srv/site/h.js', '/srv/site/job.js']],
    ['cat x.sh | bash', ['/srv/site/x.sh']],
    ['bash < x.sh', ['/srv/site/x.sh']],
    ['go run main.go', ['/srv/site/main.go']],
    ['deno run a.ts', ['/srv/site/a.ts']],
    ['awk -f p.awk d', ['/srv/site/p.awk']],
    ['bash a.sh && python b.py', ['/srv/site/a.sh', '/srv/site/b.py']],
    ['bash -c "./x.sh"', ['/srv/site/x.sh']],
  ])('of %s are among others %j', (command, at) => expect(places(command)).toEqual(expect.arrayContaining(at)));
  it('are not looked for where nothing is run', () => {
    for (const command of ['ls', 'git push origin main', 'cat x.sh']) expect(named(command)).toBeUndefined();
  });
  it('are not guessed where it cannot be told where they lie', () => {
    expect(places('cd build && node gen.js')).toEqual([undefined]);
    expect(places('cd build && node /srv/gen.js')).toEqual(['/srv/gen.js']);
    const call: ToolCall = { toolName: 'bash', toolInput: { command: 'node gen.js' }, agentId: 'a' };
    expect(namedFiles(call, judgement.judge(call))).toEqual([{ word: 'gen.js', at: undefined }]);
    expect(places('node gen.js', { cwd: 'relative' })).toEqual([undefined]);
  });
});
