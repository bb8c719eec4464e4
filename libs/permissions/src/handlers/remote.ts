import { judge } from '../rules/judge.js';
import { type Rule } from '../rules/rule.js';
import { PHRASES } from '../effects.js';
import { find, isPlain, onlyOnce, type Call, type Field } from '../shell/scope.js';
import { isKnown, shown, slice, spanOf, textAt } from '../shell/text.js';
import { leading, type Leading } from './leading.js';
import { asScript } from './shells.js';
import { onlyAsks } from './wrappers.js';

const options = (call: Call, { used, unknown }: Leading): void => {
  for (const { option, value, at } of used)
    if (option.meaning === 'shell') {
      find(call, 'exec.inline', `${call.program} ${option.name} runs ${value ? shown(value.value) : 'a program'}`, value ?? at);
      if (value) call.scope.engine.script(value, call.scope);
    } else if (option.meaning !== 'ok' && !['write', 'read', 'url'].includes(option.meaning))
      find(call, option.meaning as 'unknown', `${call.program} ${option.name} ${PHRASES[option.meaning as 'unknown']}`, value ?? at);
  if (unknown[0] && !/^-V$|^--(version|help)$/.test(unknown[0].value))
    find(call, 'unknown', `${call.program} ${shown(unknown[0].value)} is an option that is not known`, unknown[0]);
};

/** ssh: a command line for another host. What it would destroy there is destroyed all the same. */
export const ssh = (call: Call, rule: Rule): void => {
  const parsed = leading(rule, call.args);
  if (call.args.length === 1 && call.args[0]!.value === '-V') return;
  options(call, parsed);
  for (const { option, value } of parsed.used)
    if (option.name === '-o' && value && /^\s*(ProxyCommand|LocalCommand|KnownHostsCommand|PermitLocalCommand)\b/i.test(value.value)) {
      const equals = value.value.search(/[= ]/) + 1;
      find(call, 'exec.inline', `${call.program} -o runs a command here`, value);
      call.scope.engine.script(slice(value, equals), call.scope);
    }
  const [host, ...command] = parsed.rest;
  find(call, 'net.send', `${call.program} works on ${host ? shown(host.value) : 'another host'}`, host);
  if (command.length > 0) find(call, 'exec.inline', `${call.program} runs a command there`, command.at(-1));
  onlyOnce(call.draft, 'It runs whatever it is given, on another host.');
  if (command.length === 0 && call.scope.input.text) call.scope.engine.script(call.scope.input.text, call.scope);
  // Options may stand after the host as well.
  asScript(call, command[0]?.value.startsWith('-') ? leading(rule, command).rest : command);
};

const PRIVILEGED = /^(--privileged|--cap-add|--device|--security-opt)$/;
const HOST_NAMESPACE = /^(--pid|--ipc|--network|--net|--userns|--uts|--cgroupns)$/;
const HOST_ROOTS =
  /^(\/|\/(etc|root|home|usr|var|boot|proc|sys|dev|lib|bin|sbin)(\/?|\/run\/docker\.sock)|\/(var\/)?run\/docker\.sock|~\/?|\$HOME)$/;

/** `docker run`, `docker exec`, `kubectl exec`: words of their own, then a container, then a command that runs in it. */
export const container = (call: Call, rule: Rule): void => {
  const found = deeper(call, rule);
  if (!found) {
    judge(call, rule);
    return;
  }
  const { path, leaf, rest } = found;
  // The rule judges everything up to the container; the command in it is somebody else's syntax.
  const own = leading(leaf, rest);
  const upTo = call.args.length - own.rest.length;
  const separated = call.args[upTo - 1]?.value === '--';
  judge({ ...call, args: [...call.args.slice(0, upTo), ...own.rest.slice(0, separated ? 0 : 1)] }, rule);
  call.draft.prefix = [call.program, ...path];
  for (const { option, value, at } of own.used) {
    if (PRIVILEGED.test(option.name) || (HOST_NAMESPACE.test(option.name) && value?.value === 'host'))
      find(call, 'privilege', `${call.program} ${option.name} gives the container rights over this host`, value ?? at);
    if (/^(-v|--volume|--mount)$/.test(option.name) && value)
      mounts(call, value.value, { certain: true, glob: false, splits: false, ...value });
  }
  const [target, ...rest2] = own.rest;
  const command = leaf.constrain === 'exact' ? afterDashes(own.rest, separated) : rest2;
  if (path.includes('run') || path.includes('create')) call.draft.constraints.images = target ? [shown(target.value)] : [];
  onlyOnce(call.draft, 'It runs whatever it is given, in a container.');
  if (command.length > 0)
    call.scope.engine.invoke(call.draft, command, { ...call.scope, cwd: { place: { root: 'fs', parts: ['container', 'work', 'here'] } } });
};

/** `kubectl exec POD -- CMD`: everything after the dashes; without them, after the name. */
const afterDashes = (rest: readonly Field[], separated: boolean): readonly Field[] => {
  const dashes = rest.findIndex(({ value }) => value === '--');
  return dashes >= 0 ? rest.slice(dashes + 1) : separated ? rest : rest.slice(1);
};

const mounts = (call: Call, value: string, at: Field): void => {
  const source = /(?:^|,)(?:source|src)=([^,]*)/.exec(value)?.[1] ?? value.split(':')[0]!;
  if (!isKnown(value) || !isPlain(at)) find(call, 'obfuscated', `${call.program} mounts a path that is computed`, at);
  else if (HOST_ROOTS.test(shown(source))) find(call, 'privilege', `${call.program} gives the container ${shown(source)} of this host`, at);
};

/** The sub-command that runs something in a container, if this is one, and its own arguments. */
const deeper = (call: Call, rule: Rule): { path: string[]; leaf: Rule; rest: readonly Field[] } | undefined => {
  const path: string[] = [];
  let current: Rule = rule;
  let rest: readonly Field[] = call.args;
  for (let level = 0; level < 3; level++) {
    const own = leading({ options: { ...rule.options, ...(level > 0 && current.options) } }, rest);
    const [word] = own.rest;
    if (!word || !current.commands || own.computed.length > 0) return undefined;
    const key = Object.keys(current.commands).find((names) => !names.includes(' ') && names.split('|').includes(word.value));
    const next = key === undefined ? undefined : current.commands[key];
    if (next === undefined || typeof next === 'string') return undefined;
    path.push(word.value);
    rest = own.rest.slice(1);
    if (next.handler === 'inner') return { path, leaf: { ...next, options: next.options ?? {} }, rest };
    current = next;
  }
  return undefined;
};

/** parallel: the command, once for each word after `:::`. */
export const parallel = (call: Call, rule: Rule): void => {
  const parsed = leading(rule, call.args);
  options(call, parsed);
  find(call, 'exec.inline', `${call.program} builds commands and runs them`);
  onlyOnce(call.draft, 'It runs whatever it is given.');
  const words = parsed.rest;
  const at = words.findIndex(({ value }) => /^:::+\+?$/.test(value));
  const command = at < 0 ? words : words.slice(0, at);
  const items = at < 0 ? [] : words.slice(at + 1).filter(({ value }) => !/^:::+\+?$/.test(value));
  if (command.length === 0) for (const item of items.slice(0, 32)) call.scope.engine.script(item, call.scope);
  else if (items.length === 0) asScript(call, command);
  else
    for (const item of items.slice(0, 32))
      asScript(
        call,
        command.some(({ value }) => value.includes('{}'))
          ? command.map((field) =>
              field.value.includes('{}')
                ? {
                    ...field,
                    ...textAt(
                      field.value.replaceAll('{}', () => item.value),
                      spanOf(field),
                    ),
                  }
                : field,
            )
          : [...command, item],
      );
};

/** watch, script, su, flock: the words after their own are a command line. */
export const commandLine = (call: Call, rule: Rule): void => {
  if (onlyAsks(call) && rule.does !== 'privilege') return;
  const parsed = leading(rule, call.args);
  options(call, parsed);
  for (const effect of typeof rule.does === 'string' ? [rule.does] : (rule.does ?? []))
    find(call, effect, `${call.program} ${rule.why ?? PHRASES[effect]}`, call.args.at(-1));
  onlyOnce(call.draft, `${call.program} runs whatever it is given.`);
  for (const { option, value } of parsed.used)
    if (/^(-c|--command)$/.test(option.name) && value) call.scope.engine.script(value, call.scope);
  const rest = parsed.rest.slice(rule.arity ?? 0);
  // `su root -c ls`: options after the operand.
  const late = rest[0]?.value.startsWith('-') ? leading(rule, rest) : undefined;
  for (const { option, value } of late?.used ?? [])
    if (/^(-c|--command)$/.test(option.name) && value) call.scope.engine.script(value, call.scope);
  asScript(call, late ? late.rest : rest);
};

/** kubectl: a secret is shown only in the formats that show its data. */
export const kubectl = (call: Call, rule: Rule): void => {
  container(call, rule);
  const words = call.args.map(({ value }) => value);
  if (!words.includes('get')) return;
  const secrets = words.some((word) => /(^|[,/])secrets?($|[,./])/i.test(word));
  const format = words
    .map((word, i) => (/^(?:-o|--output)$/.test(word) ? words[i + 1] : /^(?:-o=?|--output=)(.+)$/.exec(word)?.[1]))
    .find((word) => word !== undefined);
  const raw = words.some((word) => word.startsWith('--raw') || word.startsWith('--template'));
  if ((secrets && ((format !== undefined && !/^(wide|name)$/.test(format)) || raw)) || words.some((word) => /^--raw=?.*secrets/.test(word)))
    find(call, 'read.secret', `${call.program} get shows what secrets hold`, call.args.at(-1));
};

/** helm: taking a release away destroys what runs. */
export const helm = (call: Call, rule: Rule): void => {
  const { path, harmless, help } = judge(call, rule);
  const verb = path[0]?.value ?? '';
  if (!help && !harmless && /^(uninstall|delete|del|un)$/.test(verb))
    find(call, 'destroy.infra', `helm ${verb} takes down what the release runs`, call.args.at(-1));
};
