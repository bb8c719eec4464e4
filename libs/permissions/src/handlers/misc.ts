import { judge } from '../rules/judge.js';
import { type Rule } from '../rules/rule.js';
import { type Parsed } from '../rules/parse.js';
import { find, isPlain, mayBeOption, type Call } from '../shell/scope.js';
import { shown, slice, type Text } from '../shell/text.js';

/** date: a word without a plus sets the clock. */
export const date = (call: Call, rule: Rule): void => {
  const { operands, help } = judge(call, rule);
  if (help) return;
  for (const field of operands)
    if (!field.value.startsWith('+') && !field.value.startsWith('\u0003'))
      find(call, 'write.sensitive', `${call.program} ${shown(field.value)} sets the clock`, field);
};

/** Programs that show something, and change it as soon as they get a word more: hostname, ifconfig IF, sysctl NAME=VALUE. */
export const changesWith = (call: Call, rule: Rule): void => {
  const { operands, help } = judge(call, rule);
  if (help) return;
  const allowed = rule.arity ?? 0;
  const changing = call.program === 'sysctl' ? operands.filter(({ value }) => value.includes('=')) : operands.slice(allowed);
  for (const field of changing)
    find(call, 'write.sensitive', `${call.program} ${shown(field.value)} changes a setting of the system`, field);
  for (const field of operands) if (mayBeOption(field)) find(call, 'obfuscated', `${call.program} gets a computed word`, field);
};

const RUNS = /^(execute|execute-silent|become)$/;
const JUDGED = /^(reload|reload-sync|preview|change-preview|transform.*|bg-transform.*)$/;

/** fzf: previews and bound actions are commands of their own. */
export const fzf = (call: Call, rule: Rule): void => {
  const { used } = judge(call, rule);
  for (const { option, value, at } of used) {
    if (option.name === '--preview' && value) call.scope.engine.script(filled(value), call.scope);
    if (option.name !== '--bind' || !value) continue;
    for (const match of value.value.matchAll(
      /([a-z-]+)(?:\(([^)]*)\)|\[([^\]]*)\]|\{([^}]*)\}|<([^>]*)>|~([^~]*)~|!([^!]*)!|@([^@]*)@|:((?:(?!,[\w-]+:|\+[a-z-]+[(:]).)*)|(?=$|[,+]))/g,
    )) {
      const [name, ...bodies] = match.slice(1);
      const body = bodies.find((text) => text !== undefined);
      if (RUNS.test(name!)) find(call, 'exec.inline', `${call.program} ${name} runs a command for what is chosen`, value);
      if (body === undefined || !(RUNS.test(name!) || JUDGED.test(name!))) continue;
      const from = match.index + match[0].lastIndexOf(body);
      call.scope.engine.script(filled(slice(value, from, from + body.length)), call.scope);
    }
    if (/execute|become/.test(value.value)) find(call, 'exec.inline', `${call.program} --bind runs a command for what is chosen`, at);
  }
};

/** What fzf puts in for `{…}` is quoted for the shell: one word. */
const filled = (text: Text): Text => ({ ...text, value: text.value.replace(/\{[^{}]*\}/g, (place) => 'x'.repeat(place.length)) });

/** xattr, plutil and others whose reading form is one option among many. */
export const crontab = (call: Call, rule: Rule): void => {
  const { used, help, operands } = judge(call, rule);
  if (help) return;
  const has = (name: string): boolean => used.some(({ option }) => option.name === name);
  if (has('-r')) find(call, 'destroy.system', `${call.program} -r removes every job`, call.args.at(-1));
  else if (!has('-l') || operands.length > 0) find(call, 'write.sensitive', `${call.program} changes what runs later`, call.args.at(-1));
  if (!call.scope.input.text) return;
  for (const line of call.scope.input.text.value.matchAll(/^\s*(?:@\w+|(?:\S+\s+){5})(.+)$/gm)) {
    const from = line.index + line[0].length - line[1]!.length;
    call.scope.engine.script(slice(call.scope.input.text, from, from + line[1]!.length), call.scope);
  }
};

/** at, batch: the input is a script for later. */
export const later = (call: Call, rule: Rule): void => {
  judge(call, rule);
  if (call.scope.input.text) call.scope.engine.script(call.scope.input.text, call.scope);
};

/** gh api and its like: a request whose method says what it does. */
export const api = (call: Call, rule: Rule): void => {
  const { used, path, help, leaf, operands } = judge(call, rule);
  if (help || leaf.handler !== 'api' || onlyQueries(used, operands)) return;
  const method = used.findLast(({ option }) => /^(-X|--method|--request)$/.test(option.name))?.value?.value.toUpperCase();
  const sends = used.find(({ option }) => /^(-f|-F|--field|--raw-field|--input|-d|--data)$/.test(option.name));
  if (method === 'DELETE')
    find(call, 'destroy.infra', `${call.program} ${path.map(({ value }) => value).join(' ')} deletes over the network`, call.args.at(-1));
  else if (method !== undefined ? !/^(GET|HEAD)$/.test(method) : sends)
    find(call, 'infra.change', `${call.program} changes something at the other end`, (sends ?? used.at(-1))?.at);
};

/** A GraphQL request is always a POST: what it does, its text says. Every operation in it has to be a query, and no field may be a file. */
const onlyQueries = (used: Parsed['used'], operands: Parsed['operands']): boolean => {
  if (operands.length !== 1 || operands[0]!.value !== 'graphql') return false;
  const fields = used.flatMap(({ option, value }) =>
    option.meaning === 'ok' && /^(-f|-F|--field|--raw-field)$/.test(option.name) ? [value] : [],
  );
  if (used.some(({ option }) => /^(--input|-X|--method)$/.test(option.name))) return false;
  const texts = fields.map((field) =>
    field && isPlain({ certain: true, glob: false, splits: false, ...field }) ? field.value : undefined,
  );
  return (
    texts.every((text) => text !== undefined && !/^[^=]*=@/.test(text)) &&
    texts.filter((text) => text!.startsWith('query=')).length === 1 &&
    texts.every(
      (text) => !text!.startsWith('query=') || (/^query=\s*(query\b|\{)/.test(text!) && !/\b(mutation|subscription)\b/i.test(text!)),
    )
  );
};

/** Objects of `ip`, by the shortest prefix that it takes, and what only shows them. */
const SHOWS = /^(s|sh|sho|show|l|li|lis|list|ls|lst|get|g|help|monitor|identify|pids|list-id|save|count)$/;
const OBJECTS =
  /^(a|ad|add|addr|addre|addres|address|l|li|lin|link|r|ro|rou|rout|route|ru|rul|rule|n|ne|nei|neig|neigh|neighb|neighbo|neighbor|neighbour|ntable|tun|tunn|tunnel|tunt|tuntap|m|ma|mad|madd|maddr|maddress|mr|mroute|mrule|mo|mon|moni|monitor|netns|l2tp|tcp_metrics|tcpmetrics|token|macsec|vrf|netconf|ila|fou|xfrm|sr|nexthop|mptcp|ioam|stats|help)$/;

/** ip: an object, then a command that shows it or changes it. */
export const ip = (call: Call, rule: Rule): void => {
  const { operands, used, help } = judge(call, rule);
  if (help) return;
  const [object, command] = operands.map(({ value }) => value);
  if (used.some(({ option }) => option.name === '-all' || option.name === '-a') && object === 'netns')
    find(call, 'privilege', 'ip runs a command in every namespace', operands.at(-1));
  if (object === undefined) return;
  for (const field of operands) if (mayBeOption(field)) find(call, 'obfuscated', 'ip gets a computed word', field);
  if (/^m[o]n?i?t?o?r?$/.test(object) && object.startsWith('mo')) return;
  if (object === 'xfrm') {
    if (operands[2] && !SHOWS.test(operands[2].value))
      find(call, 'write.sensitive', `ip ${object} changes the network of this host`, operands[2]);
    return;
  }
  if (!OBJECTS.test(object) || (command !== undefined && !SHOWS.test(command)))
    find(
      call,
      'write.sensitive',
      `ip ${[object, command].map((word) => shown(word ?? '')).join(' ')} changes the network of this host`,
      operands.at(-1),
    );
};

/** rpm: `-q` and `-V` ask, everything else changes. */
export const rpm = (call: Call, rule: Rule): void => {
  const asks =
    call.args.some(({ value }) => /^-(q|V|[a-zA-Z]*q)|^--(query|verify|version|help|eval|showrc|querytags)$/.test(value)) &&
    !call.args.some(
      ({ value }) =>
        /^--(eval|pipe|define|load|macros|root|dbpath|import|rebuilddb|initdb|restore|setperms|setugids)/.test(value) ||
        /^-[a-pr-zA-UW-Z]*[iUFe]$/.test(value),
    );
  judge(call, { ...rule, handler: 'rpm', does: asks ? 'read' : 'exec.package' });
  for (const field of call.args) if (mayBeOption(field)) find(call, 'obfuscated', `${call.program} gets a computed word`, field);
};

/** pacman: the capital letter says what it works on, the small ones whether it only asks. */
export const pacman = (call: Call, rule: Rule): void => {
  const asks =
    call.args.some(({ value }) => /^-(Q[a-z]*|S[a-z]*[sigl][a-z]*|F[a-xz]*|T|V|h)$|^--(query|version|help)$/.test(value)) &&
    !call.args.some(
      ({ value }) => /^-[A-Z]*[a-z]*[uyc]/.test(value) || /^--(sysupgrade|refresh|clean|noconfirm|hookdir|config|root|dbpath)/.test(value),
    );
  judge(call, { ...rule, does: asks ? 'net.read' : 'exec.package' });
};

/** rtk: a proxy that shortens the output of the command that follows. */
export const rtk = (call: Call, rule: Rule): void => {
  const [first] = call.args;
  if (!first || /^(--help|-h|--version|version|help|gain|discover)$/.test(first.value)) {
    if (!first) find(call, 'unknown', 'rtk is not told what to run');
    return;
  }
  if (first.value.startsWith('-')) judge(call, rule);
  else call.scope.engine.invoke(call.draft, call.args, call.scope);
};
