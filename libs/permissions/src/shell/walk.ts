import { type Command, type CommandNode, type CompoundList, type PipelineNode, type Statement } from 'unbash';
import { walkArithmetic, walkTest, walkWord } from './expansions.js';
import { DEEP, hidden, MANY, TOO_DEEP } from './guards.js';
import { pathOf } from '../paths/place.js';
import { outputOfCommand } from './output.js';
import { judgeRedirects } from './redirects.js';
import { NO_INPUT, add, pipedInput, type Draft, type ParsedScript, type Scope } from './scope.js';
import { walkSimple } from './simple.js';
import { tierOf } from '../effects.js';

/** A segment for what stands between `pos` and `end` of the scope's source. */
export const openDraft = (scope: Scope, pos: number, end: number): Draft => {
  const draft: Draft = {
    text: scope.source.text.slice(pos, end),
    span: scope.source.origin(pos, end),
    prefix: [],
    findings: [],
    constraints: {},
  };
  scope.report.drafts.push(draft);
  return draft;
};

/** Judges every command in a script, wherever it stands, and what the shell itself would do on the way. */
export const walkScript = (script: ParsedScript, scope: Scope): void => {
  if (script.errors?.[0]) {
    const at = Math.min(script.errors[0].pos, Math.max(0, scope.source.text.length - 1));
    scope.report.findings.push(
      hidden(`It does not parse (${script.errors[0].message}), but what precedes the fault would run.`, scope.source.origin(at, at + 1)),
    );
  }
  if (isTooDeep(scope, script)) return;
  walkStatements(script.commands, scope);
};

const NESTED = `It is nested more than ${DEEP} deep.`;

const isTooDeep = ({ depth, report, source }: Scope, at: { pos: number; end: number }): boolean => {
  if (depth > DEEP && !report.findings.some(({ reason }) => reason === NESTED))
    report.findings.push(hidden(NESTED, source.origin(at.pos, at.end)));
  return depth > TOO_DEEP;
};

const walkStatements = (statements: readonly Statement[], scope: Scope): void => {
  for (const { command } of statements)
    if (command.type === 'AndOr') for (const child of command.commands) walkPipeline(child, scope);
    else walkPipeline(command, scope);
};

const walkList = (list: CompoundList, scope: Scope): void => {
  const inside: Scope = { ...scope, depth: scope.depth + 1 };
  if (!isTooDeep(inside, list)) walkStatements(list.commands, inside);
};

/** Nobody hides a text behind more steps than a reader would follow; longer pipelines are asked about for what else they do. */
const LONG_PIPELINE = 32;

const walkPipeline = (node: PipelineNode, scope: Scope): void => {
  if (node.type !== 'Pipeline') return walkCommand(node, scope);
  if (node.commands.length === 1) return walkCommand(node.commands[0]!, scope);
  let { input } = scope;
  for (const command of node.commands) {
    const before = scope.report.drafts.length;
    const inside: Scope = { ...scope, input, cwd: { ...scope.cwd } };
    walkCommand(command, inside);
    const fed = input;
    const network = input.network === true || usesNetwork(scope, before);
    input =
      node.commands.length > LONG_PIPELINE ? { kind: 'piped', network } : pipedInput(() => outputOfCommand(command, inside, fed), network);
  }
};

/** Whether anything that was judged since then has to do with the network. */
const usesNetwork = ({ report }: Scope, since: number): boolean => {
  for (let i = since; i < report.drafts.length; i++)
    if (report.drafts[i]!.findings.some(({ effect }) => effect.startsWith('net.'))) return true;
  return false;
};

const walkCommand = (node: CommandNode, scope: Scope): void => {
  switch (node.type) {
    case 'Command':
      return walkOnce(node, scope);
    case 'Redirected': {
      const draft = openDraft(scope, node.redirects[0]?.pos ?? node.pos, node.end);
      const { input, wrote } = judgeRedirects(node.redirects, scope, draft);
      if (wrote) draft.prefix = ['>'];
      if (draft.findings.length === 0) scope.report.drafts.splice(scope.report.drafts.indexOf(draft), 1);
      return walkCommand(node.command, { ...scope, input });
    }
    case 'Subshell':
      return walkList(node.body, { ...scope, cwd: { ...scope.cwd } });
    case 'BraceGroup':
      return walkList(node.body, scope);
    case 'If':
      walkList(node.clause, scope);
      walkList(node.then, scope);
      for (const branch of node.elif) {
        walkList(branch.clause, scope);
        walkList(branch.then, scope);
      }
      return node.else && walkList(node.else, scope);
    case 'While':
      walkList(node.clause, scope);
      return walkList(node.body, scope);
    case 'For':
    case 'Select':
      quietly(scope, node, (draft) => {
        walkWord(node.name, scope, draft);
        for (const word of node.wordlist ?? []) walkWord(word, scope, draft);
      });
      return walkList(node.body, scope);
    case 'ArithmeticFor':
      quietly(scope, node, (draft) => {
        for (const part of [node.initialize, node.test, node.update]) walkArithmetic(part, scope, draft, scope.source, { assigns: true });
      });
      return walkList(node.body, scope);
    case 'Case':
      quietly(scope, node, (draft) => {
        walkWord(node.word, scope, draft);
        for (const item of node.items) for (const pattern of item.pattern) walkWord(pattern, scope, draft);
      });
      for (const item of node.items) walkList(item.body, scope);
      return;
    case 'TestCommand':
      return quietly(scope, node, (draft) => walkTest(node.expression, scope, draft));
    case 'ArithmeticCommand':
      return quietly(scope, node, (draft) => walkArithmetic(node.expression, scope, draft, scope.source, { assigns: false }));
    case 'Function':
      return walkFunction(node, scope);
    case 'Coproc': {
      const draft = openDraft(scope, node.pos, node.end);
      add(draft, 'shell.state', 'A coprocess runs beside the shell and talks to it.', draft.span);
      return walkBody(node.body, scope);
    }
    default:
      scope.report.findings.push(
        hidden('The shell syntax here is not known.', scope.source.origin((node as { pos: number }).pos, (node as { end: number }).end)),
      );
  }
};

/** Among so many commands that nobody is shown all of them, the same words in the same place are judged once. */
const walkOnce = (node: Command, scope: Scope): void => {
  const key = scope.report.drafts.length > MANY ? keyOf(node, scope) : undefined;
  const { judged } = scope.report;
  if (key !== undefined && judged.get(scope.functions)?.has(key)) return;
  const { place } = scope.cwd;
  walkSimple(node, scope, openDraft(scope, node.pos, node.end));
  // What moves elsewhere has to be followed each time.
  if (key !== undefined && scope.cwd.place === place) judged.set(scope.functions, (judged.get(scope.functions) ?? new Set()).add(key));
};

/** What a command that is all letters depends on; undefined for any other. */
const keyOf = (node: Command, { input, cwd, source }: Scope): string | undefined => {
  if ('text' in input || node.prefix.length > 0) return undefined;
  for (const word of [node.name, ...node.suffix]) if (word?.type !== 'Word' || word.parts) return undefined;
  return `${input.kind} ${input.network === true} ${pathOf(cwd.place)} ${source.text.slice(node.pos, node.end + 2)}`;
};

const walkBody = (body: CommandNode | CompoundList, scope: Scope): void => {
  const inside: Scope = { ...scope, cwd: { ...scope.cwd }, input: NO_INPUT };
  return body.type === 'CompoundList' ? walkList(body, inside) : walkCommand(body, inside);
};

/** Something that the shell does itself becomes a segment only if there is something to say of it. */
const quietly = (scope: Scope, node: { pos: number; end: number }, judge: (draft: Draft) => void): void => {
  const draft: Draft = {
    text: scope.source.text.slice(node.pos, node.end),
    span: scope.source.origin(node.pos, node.end),
    prefix: [],
    findings: [],
    constraints: {},
  };
  judge(draft);
  if (draft.findings.some(({ effect }) => tierOf(effect) !== 'safe')) scope.report.drafts.push(draft);
};

const walkFunction = (node: Extract<CommandNode, { type: 'Function' }>, scope: Scope): void => {
  const draft = openDraft(scope, node.pos, node.end);
  const name = node.name.value;
  draft.prefix = ['function', name];
  if (scope.engine.isProgram(name))
    add(draft, 'shell.state', `It gives ${name} another meaning.`, scope.source.origin(node.name.pos, node.name.end));
  if (callsItself(node.body, name))
    add(draft, 'destroy.system', `${name} starts itself again and again until nothing else can run.`, draft.span, true);
  walkBody(node.body, scope);
};

/** A fork bomb: the function in its own pipeline or background. */
const callsItself = (body: CommandNode | CompoundList, name: string): boolean => {
  const seen = (command: PipelineNode, many: boolean): boolean => {
    switch (command.type) {
      case 'Pipeline':
        return command.commands.some((child) => seen(child, many || command.commands.length > 1));
      case 'Command':
        return many && command.name?.value === name;
      case 'BraceGroup':
      case 'Subshell':
        return inList(command.body, many);
      case 'Redirected':
        return seen(command.command, many);
      case 'If':
        return inList(command.then, many) || (command.else !== undefined && inList(command.else, many));
      case 'While':
      case 'For':
        return inList(command.body, many);
      default:
        return false;
    }
  };
  const inList = (list: CompoundList, many: boolean): boolean =>
    list.commands.some(({ command, background }) => {
      const children = command.type === 'AndOr' ? command.commands : [command];
      return children.some((child) => seen(child, many || background === true));
    });
  return body.type === 'CompoundList' ? inList(body, false) : seen(body, false);
};
