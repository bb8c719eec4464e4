import { judge } from '../rules/judge.js';
import { placeIn, reads, removes, writes } from '../rules/paths.js';
import { type Rule } from '../rules/rule.js';
import { judgeRemoval } from '../paths/writes.js';
import { find, isPlain, type Call, type Field } from '../shell/scope.js';
import { isKnown, shown, slice, spanOf } from '../shell/text.js';

/** rm and its like: what goes away, and whether everything below goes too. */
export const rm = (call: Call, rule: Rule): void => {
  const { used, operands, help } = judge(call, rule);
  if (help) return;
  const has = (...names: string[]): boolean => used.some(({ option }) => names.includes(option.name));
  const recursive = has('-r', '-R', '--recursive');
  if (has('--no-preserve-root')) find(call, 'destroy.fs', `${call.program} may remove the root`, undefined, true);
  if (operands.length === 0) find(call, 'write.workspace', `${call.program} removes files`);
  for (const field of operands) removes(call, field, recursive);
};

/** shred, and others that overwrite what they are given. */
export const shred = (call: Call, rule: Rule): void => {
  const { operands, help } = judge(call, rule);
  if (help) return;
  for (const field of operands) {
    removes(call, field, false);
    writes(call, field);
  }
  find(call, 'destroy.fs', `${call.program} overwrites files so that nothing can bring them back`, operands[0]);
};

/** chmod: giving everybody the right to write, or a file its owner's rights, is changing privileges. */
export const chmod = (call: Call, rule: Rule): void => {
  const mode = call.args.find(({ value }) => !value.startsWith('-') || /^-[rwxXst]+$/.test(value));
  const flags = { ...call, args: call.args.filter((field) => field !== mode) };
  const { used, operands, help } = judge(flags, rule);
  if (help) return;
  const recursive = used.some(({ option }) => /^(-R|--recursive)$/.test(option.name));
  if (!mode || !isPlain(mode)) find(call, 'obfuscated', `${call.program} sets a mode that is computed`, mode);
  else if (opens(mode.value))
    find(call, 'privilege', `${call.program} ${mode.value} lets anybody write, or run with the owner's rights`, mode, recursive);
  for (const field of operands) {
    writes(call, field);
    const judged = judgeRemoval(placeIn(call, field.value), recursive, call.scope.context);
    if (recursive && judged.effect.startsWith('destroy.') && placeIn(call, field.value).root !== 'workspace')
      find(call, 'destroy.system', `${call.program} changes everything below ${shown(field.value)}`, field, true);
  }
  if (operands.length === 0) find(call, 'write.workspace', `${call.program} changes files`);
};

const opens = (mode: string): boolean => {
  if (/^[0-7]+$/.test(mode)) {
    const [others, , , special] = [...mode].reverse().map(Number);
    return ((others ?? 0) & 2) !== 0 || ((special ?? 0) & 6) !== 0;
  }
  return mode.split(',').some((clause) => {
    const match = /^([ugoa]*)[+=]([rwxXstugo]*)/.exec(clause);
    if (!match) return false;
    return (/[oa]/.test(match[1]!) && match[2]!.includes('w')) || match[2]!.includes('s');
  });
};

/** dd: whatever it copies, it is one letter away from a disk. */
export const dd = (call: Call): void => {
  if (call.args.length === 1 && /^--(help|version)$/.test(call.args[0]!.value)) return;
  find(call, 'write.device', `${call.program} copies bytes over files and devices`, call.args[0]);
  for (const field of call.args) {
    const [name] = field.value.split('=');
    const path: Field = { ...field, ...slice(field, name!.length + 1) };
    if (name === 'of') writes(call, path);
    if (name === 'if') reads(call, path);
  }
};

/** tee writes its operands and passes its input on. */
export const touchAll = (call: Call, rule: Rule): void => {
  const { operands, help } = judge(call, rule);
  if (!help && operands.length === 0 && rule.does) find(call, 'write.workspace', `${call.program} writes files`);
};

/** rsync: where it writes, what it deletes there, and whether that is here at all. */
export const rsync = (call: Call, rule: Rule): void => {
  const { used, operands, help, harmless } = judge(call, rule);
  if (help) return;
  const target = operands.at(-1);
  if (!target || operands.length < 2) return;
  const remote = operands.filter(({ value }) => /^[^/]*:|^rsync:\/\//.test(value));
  if (remote[0]) {
    find(call, 'net.send', `${call.program} copies between this host and ${shown(remote[0].value)}`, remote[0]);
    call.draft.constraints.hosts = remote.map(({ value }) => value.replace(/^rsync:\/\//, '').split(/[:/]/)[0]!);
  }
  if (remote.includes(target) || harmless) return;
  writes(call, target);
  if (used.some(({ option }) => option.name.startsWith('--del'))) removes(call, target, true);
  if (used.some(({ option }) => option.name === '--remove-source-files'))
    for (const field of operands.slice(0, -1)) removes(call, field, true);
};

/** tar: one letter says whether it lists, extracts or creates; the first word may hold letters without a dash. */
export const tar = (call: Call, rule: Rule): void => {
  const [first, ...rest] = call.args;
  const bundled =
    first && /^[a-zA-Z]+$/.test(first.value) ? { ...first, ...slice(first, 0), value: `-${first.value}`, runs: first.runs } : first;
  // In the old form each letter takes its argument from the words that follow, in order.
  const args = bundled && bundled !== first ? ordered(bundled, rest, rule) : call.args;
  const { used, operands, help } = judge({ ...call, args }, rule);
  if (help) return;
  const has = (...names: string[]): boolean => used.some(({ option }) => names.includes(option.name));
  const archive = used.findLast(({ option }) => option.name === '-f' || option.name === '--file')?.value;
  if (archive && /^[^/]+:/.test(archive.value) && !has('--force-local'))
    find(call, 'net.send', `${call.program} uses an archive on another host`, archive);
  const field: Field | undefined = archive && { certain: true, glob: false, splits: false, ...archive };
  if (has('-t', '--list', '-d', '--diff', '--compare')) {
    if (field) reads(call, field);
  } else if (has('-x', '--extract', '--get')) {
    if (!has('-O', '--to-stdout')) find(call, 'write.workspace', `${call.program} extracts files over those that are there`);
    if (has('-P', '--absolute-names')) find(call, 'write.outside', `${call.program} extracts to wherever the archive says`);
    for (const { option, value, at } of used)
      if (/^(-C|--directory)$/.test(option.name)) writes(call, { certain: true, glob: false, splits: false, ...(value ?? at) });
  } else if (has('-c', '--create', '-r', '--append', '-u', '--update', '-A', '--catenate', '--concatenate', '--delete')) {
    for (const operand of operands) reads(call, operand);
    if (!field) find(call, 'read', `${call.program} writes an archive to its output`);
    else if (field.value !== '-') writes(call, field);
    else if (!isKnown(field.value)) find(call, 'write.outside', `${call.program} writes an archive`, field);
    if (has('--remove-files')) for (const operand of operands) removes(call, operand, true);
  } else if (!has('--version', '--show-defaults', '--usage')) find(call, 'unknown', `${call.program} is not told what to do`);
};

const ordered = (letters: Field, rest: readonly Field[], rule: Rule): Field[] => {
  const takes = new Set([...` ${Object.values(rule.options ?? {}).join(' ')} `.matchAll(/ -([a-zA-Z]):(?= )/g)].map((match) => match[1]!));
  const args: Field[] = [];
  let next = 0;
  for (const letter of letters.value.slice(1)) {
    args.push({ ...letters, value: `-${letter}`, runs: [{ at: 0, from: spanOf(letters).start, to: spanOf(letters).end }] });
    if (takes.has(letter) && rest[next]) args.push(rest[next++]!);
  }
  return [...args, ...rest.slice(next)];
};
