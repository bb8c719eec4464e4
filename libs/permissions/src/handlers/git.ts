import { judge } from '../rules/judge.js';
import { removes } from '../rules/paths.js';
import { type Used } from '../rules/parse.js';
import { type Rule } from '../rules/rule.js';
import { find, isPlain, type Call, type Field } from '../shell/scope.js';
import { isKnown, shown, slice } from '../shell/text.js';
import { asScript } from './shells.js';

type Part = Readonly<{
  call: Call;
  operands: readonly Field[];
  used: readonly Used[];
  has: (...names: string[]) => boolean;
  harmless: boolean;
}>;

/** Settings that only change how output looks; any other may name a program. */
const LOOKS =
  /^(color\.|column\.|advice\.|core\.(quotepath|abbrev)|log\.(date|abbrevcommit|decorate)|diff\.(renames|renamelimit|context|algorithm|noprefix|mnemonicprefix)|status\.|i18n\.|core\.fsmonitor=false|core\.hookspath=\/dev\/null)/i;
/** A remote by name or by an address that git itself opens; `ext::` and other helpers run programs. */
const REMOTE = /^([\w.@/-]+|(https?|git|ssh|git\+ssh|file):\/\/[^\s]+|[\w.-]+@[\w.-]+:[^\s]*|\.{0,2}\/?[^\s:]*)$/i;

export const git = (call: Call, rule: Rule): void => {
  const parsed = judge(call, rule);
  for (const used of parsed.used) if (used.option.name === '-c') setting(call, used);
  if (parsed.help) return;
  const has = (...names: string[]): boolean => parsed.used.some(({ option }) => names.includes(option.name));
  const part: Part = { call, operands: parsed.operands, used: parsed.used, has, harmless: parsed.harmless };
  const [first, second] = parsed.path.map(({ value }) => value);
  PARTS[first ?? '']?.(part, second);
  call.draft.contract = true;
};

const setting = (call: Call, { value, at }: Used): void => {
  if (value && isKnown(value.value) && LOOKS.test(value.value)) return;
  find(call, 'env.inject', `git -c ${shown(value?.value ?? '')} may name a program that git then runs`, value ?? at);
  const equals = value?.value.indexOf('=') ?? -1;
  if (!value || equals < 0) return;
  const bang = value.value[equals + 1] === '!' ? 1 : 0;
  if (bang || /\s/.test(value.value.slice(equals))) call.scope.engine.script(slice(value, equals + 1 + bang), call.scope);
};

const local = ({ call, operands }: Part, why: string): void => find(call, 'vcs.local', `git ${why}`, operands.at(-1));

const remotes = ({ call, operands }: Part): void => {
  for (const field of operands.slice(0, 1)) {
    if (!isPlain(field)) find(call, 'net.send', 'git works with a remote that is computed', field);
    else if (field.value.includes('::') || field.value.startsWith('-') || !REMOTE.test(field.value)) {
      find(call, 'exec.inline', `git runs a helper program for ${shown(field.value)}`, field);
      if (field.value.includes('::')) call.scope.engine.script(slice(field, field.value.indexOf('::') + 2), call.scope);
    }
    call.draft.constraints.hosts = [shown(field.value)];
  }
  call.draft.constraints.hosts ??= [];
};

const LISTS = [
  '-l',
  '--list',
  '--contains',
  '--no-contains',
  '--merged',
  '--no-merged',
  '--points-at',
  '-a',
  '--all',
  '-r',
  '--remotes',
  '--show-current',
  '-n',
];

const push = (part: Part): void => {
  const { call, operands } = part;
  remotes(part);
  for (const field of operands.slice(1)) {
    if (field.value.startsWith('+')) find(call, 'destroy.vcs', `git push ${field.value} overwrites what the remote has`, field);
    else if (/^:./.test(field.value)) find(call, 'destroy.vcs', `git push ${field.value} deletes it on the remote`, field);
  }
};

const checkout = ({ call, operands, has }: Part): void => {
  const dashes = call.args.findIndex(({ value }) => value === '--');
  const paths = dashes >= 0 ? call.args.slice(dashes + 1) : operands.filter(({ value }) => /^\.{1,2}\/?$|^:\/|\*/.test(value));
  if (paths.length > 0 && !has('-b', '-B', '--orphan')) find(call, 'destroy.vcs', 'git checkout overwrites uncommitted work', paths.at(-1));
};

const clean = ({ call, has }: Part): void => {
  if (has('-f', '--force') && !has('-n', '--dry-run'))
    find(call, 'destroy.vcs', 'git clean deletes files that no commit has', call.args.at(-1));
  else find(call, 'vcs.local', 'git clean deletes files that no commit has, depending on its settings', call.args.at(-1));
};

const config = (part: Part, verb: string | undefined): void => {
  const { operands, has, call } = part;
  if (
    has('--get', '--get-all', '--get-regexp', '--get-urlmatch', '--list', '-l', '--get-color', '--get-colorbool') ||
    verb === 'get' ||
    verb === 'list'
  )
    return;
  if (
    operands.length === 1 &&
    verb === undefined &&
    !has('--unset', '--unset-all', '--add', '--replace-all', '--remove-section', '--rename-section', '-e', '--edit')
  )
    return;
  if (has('--global', '--system', '--file', '-f'))
    find(call, 'write.sensitive', 'git config changes settings beyond this repository', operands.at(-1));
  else find(call, 'write.sensitive', 'git config may name programs that git then runs', operands.at(-1));
};

const PARTS: Readonly<Record<string, (part: Part, sub: string | undefined) => void>> = {
  branch: (part) => {
    const { used, operands } = part;
    if (operands.length > 0 && !used.some(({ option }) => LISTS.includes(option.name)))
      local(part, `branch ${shown(operands[0]!.value)} makes a branch`);
  },
  tag: (part) => {
    const { operands, has } = part;
    if (
      operands.length > 0 &&
      !has('-l', '--list', '-n', '--contains', '--no-contains', '--merged', '--no-merged', '--points-at', '-v', '--verify')
    )
      local(part, 'tag makes a tag');
  },
  config,
  push,
  checkout,
  clean,
  switch: ({ call, has }) => {
    if (has('-f', '--force', '--discard-changes')) find(call, 'destroy.vcs', 'git switch throws uncommitted work away', call.args.at(-1));
  },
  restore: ({ call, has, operands }) => {
    if (!has('-S', '--staged') || has('-W', '--worktree'))
      find(call, 'destroy.vcs', 'git restore overwrites uncommitted work', operands.at(-1));
  },
  reset: ({ call, has, operands }) => {
    if (has('--hard')) find(call, 'destroy.vcs', 'git reset --hard throws uncommitted work away', operands.at(-1) ?? call.args.at(-1));
  },
  'ls-remote': remotes,
  fetch: remotes,
  pull: remotes,
  clone: remotes,
  rm: ({ call, operands, has }) => {
    if (!has('--cached', '-n', '--dry-run')) for (const field of operands) removes(call, field, has('-r'));
  },
  reflog: (part, verb) => {
    const { call, used } = part;
    if (verb !== 'expire') return;
    if (used.some(({ option, value }) => option.name.startsWith('--expire') && /^(now|all|0)/.test(value?.value ?? '')))
      find(call, 'destroy.vcs', 'git reflog expire takes away the way back', call.args.at(-1));
  },
  'symbolic-ref': (part) => {
    if (part.operands.length > 1) local(part, 'symbolic-ref changes what a name points to');
  },
  'format-patch': ({ call, has }) => {
    if (!has('--stdout')) find(call, 'write.workspace', 'git format-patch writes files');
  },
  submodule: ({ call, operands }, verb) => {
    if (verb === 'foreach') asScript(call, operands);
  },
  bisect: ({ call }, verb) => {
    const at = call.args.findIndex(({ value }) => value === 'run');
    if (verb === 'run') call.scope.engine.invoke(call.draft, call.args.slice(at + 1), call.scope);
  },
  'filter-branch': ({ call, used }) => {
    for (const { value } of used) if (value) call.scope.engine.script(value, call.scope);
  },
};
