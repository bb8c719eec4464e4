import { PHRASES, tierOf, type Effect } from '../effects.js';
import { find, isPlain, onlyOnce, type Call, type Field } from '../shell/scope.js';
import { covering, isKnown, shown, slice, spanOf, type Text } from '../shell/text.js';
import { parseCall, type Parsed, type Used } from './parse.js';
import { placeIn, reads, removes, writes } from './paths.js';
import { type Rule } from './rule.js';

/** Judges a call by its rule: options, sub-command, operands, in this order. Each can only add. */
export const judge = (call: Call, rule: Rule): Parsed => {
  const parsed = parseCall(rule, call.args);
  name(call, parsed);
  if (parsed.help) {
    for (const used of parsed.used) judgeOption(call, used);
    return parsed;
  }
  for (const used of parsed.used) judgeOption(call, used);
  judgeUnknown(call, parsed);
  judgeBase(call, parsed);
  judgeOperands(call, parsed);
  retargets(call, parsed);
  return parsed;
};

/** Options that turn the same words on something else: another directory, file, project or cluster. A grant keeps to where it was given. */
const ELSEWHERE =
  /^(-C|--?chdir|--directory|--dir|--cwd|--prefix|--manifest-path|--project|--project-directory|--project-name|--makefile|--file|--filename|--kustomize|--context|--namespace|--cluster|--repo|-R|--subscription|--resource-group|--account|--profile|--region|--zone|--host|--filter|--workspace)$/;

const retargets = (call: Call, { used }: Parsed): void => {
  for (const { option, value } of used)
    if (value && ELSEWHERE.test(option.name))
      call.draft.constraints.operands = [...(call.draft.constraints.operands ?? []), `${option.name}=${shown(value.value)}`];
};

/** What a grant for it would be keyed on and held to. */
const name = (call: Call, { path, leaf, operands }: Parsed): void => {
  const words = [...path, ...operands.slice(0, leaf.arity ?? 0)];
  call.draft.prefix = [call.program, ...words.filter(isPlain).map(({ value }) => value)];
  if (words.some((word) => !isPlain(word))) onlyOnce(call.draft, 'A word that names what it does is computed.');
};

const judgeOption = (call: Call, { option, value, at }: Used): void => {
  const named = `${call.program} ${option.name}`;
  switch (option.meaning) {
    case 'ok':
      return;
    case 'write':
      return writes(call, asField(value ?? at));
    case 'read':
      return value ? reads(call, asField(value)) : undefined;
    case 'url':
      if (value && !isKnown(value.value)) find(call, 'net.send', `${named} sends a computed address`, at);
      return;
    case 'shell':
      find(call, 'exec.inline', `${named} runs ${value ? shown(value.value) : 'a program'}`, value ?? at);
      // tar writes its command as `exec=…`.
      if (value) call.scope.engine.script(slice(value, value.value.startsWith('exec=') ? 5 : 0), call.scope);
      return;
    default:
      find(call, option.meaning, `${named} ${PHRASES[option.meaning]}`, value ? covering(spanOf(at), spanOf(value)) : at);
  }
};

const asField = (text: Text & Partial<Field>): Field => ({ certain: true, glob: false, splits: false, ...text });

const judgeUnknown = (call: Call, { leaf, path, unknown, computed, early, strict, risky, operands, verb, harmless }: Parsed): void => {
  const choosing = leaf.commands !== undefined && leaf.operands === undefined && !harmless;
  if (strict || leaf.harmless || (choosing && operands.length > 0))
    for (const field of unknown) find(call, 'unknown', `${call.program} ${shown(field.value)} is an option that is not known`, field);
  if (early[0]) find(call, 'unknown', `${call.program} ${shown(early[0].value)} hides which word is the command`, early[0]);
  if (strict || risky || choosing || (leaf.verbs && verb === undefined))
    for (const field of computed)
      find(call, 'obfuscated', `${call.program} gets a computed word, which may be an option or a command`, field);
  if (choosing && operands[0])
    find(
      call,
      'unknown',
      `${call.program} ${[...path, operands[0]].map(({ value }) => shown(value)).join(' ')} is not a known command`,
      operands[0],
    );
};

/** The effects that the sub-command has by itself. */
export const baseOf = ({ leaf, operands, harmless, verb, path }: Parsed): readonly Effect[] => {
  if (leaf.verbs || verb)
    return [verb ?? (harmless ? 'read' : path.length > 0 || operands.length > 0 ? 'unknown' : (leaf.bare ?? 'unknown'))];
  if (harmless) return ['read'];
  if (operands.length === 0 && leaf.bare) return [leaf.bare];
  if (leaf.commands && leaf.does === undefined && operands.length === 0 && leaf.operands === undefined) return ['unknown'];
  return typeof leaf.does === 'string' ? [leaf.does] : (leaf.does ?? ['read']);
};

const judgeBase = (call: Call, parsed: Parsed): void => {
  const { path, leaf, harmless } = parsed;
  const at = covering(spanOf(call.name), ...path.map(spanOf));
  const command = [call.program, ...path.map(({ value }) => value)].join(' ');
  for (const effect of baseOf(parsed)) {
    if (effect === 'read') continue;
    const why =
      !harmless && leaf.why && tierOf(effect) !== 'safe'
        ? leaf.why
        : effect === 'unknown'
          ? 'is not known well enough to run alone'
          : PHRASES[effect];
    find(call, effect, `${command} ${why}`, at, leaf.bulk);
    if (effect === 'unknown' || leaf.constrain === 'exact') exactly(call);
    else if (tierOf(effect) !== 'safe' && leaf.constrain !== 'none' && !leaf.operands) onOperands(call, parsed);
  }
};

export const exactly = (call: Call): void => {
  call.draft.constraints.exact = [call.program, ...call.args.map(({ value }) => shown(value))];
  if (!call.args.every(isPlain)) onlyOnce(call.draft, 'A word of it is computed.');
};

const onOperands = (call: Call, { operands, leaf }: Parsed): void => {
  const words = operands.slice(leaf.arity ?? 0);
  call.draft.constraints.operands = [...(call.draft.constraints.operands ?? []), ...words.map(({ value }) => shown(value))];
  if (!words.every(isPlain)) onlyOnce(call.draft, 'A word of it is computed.');
};

const judgeOperands = (call: Call, { leaf, operands, used, harmless }: Parsed): void => {
  const has = (...names: string[]): boolean => used.some(({ option }) => names.includes(option.name));
  const last = operands.at(-1);
  switch (leaf.operands) {
    case 'read':
      for (const field of operands) reads(call, field);
      return;
    case 'pattern':
      for (const field of operands.slice(has('-e', '-f', '--regexp', '--file') ? 0 : 1)) reads(call, field);
      return;
    case 'write':
      if (!harmless) for (const field of operands) writes(call, field);
      return;
    case 'copy':
    case 'move': {
      const elsewhere = has('-t', '--target-directory');
      for (const field of elsewhere ? operands : operands.slice(0, -1)) {
        reads(call, field);
        // A root or a home is never just moved: everything below goes with it.
        if (leaf.operands === 'move') removes(call, field, placeIn(call, field.value).parts.length === 0);
      }
      if (last && !elsewhere) writes(call, last);
      if (operands.length < 2 && !elsewhere) find(call, 'write.outside', `${call.program} writes a file that it does not name`);
      return;
    }
    case 'remove':
      for (const field of operands) removes(call, field, false);
      return;
    case 'second':
      if (operands[0]) reads(call, operands[0]);
      for (const field of operands.slice(1)) writes(call, field);
      return;
    case 'net':
      for (const field of operands)
        if (!isKnown(field.value) || !field.certain)
          find(call, 'net.send', `${call.program} sends a computed word over the network`, field);
      return;
    case 'none':
      for (const field of operands) find(call, 'unknown', `${call.program} ${shown(field.value)} is a word that is not expected`, field);
      return;
    default:
  }
};
