import { parse, type SyntaxNode, forEachChild } from 'unbash';
import { type ClassifyContext } from '../context.js';
import { ladderOf, tierOf, worstLadder, worstTier, type Effect } from '../effects.js';
import { startOf } from '../paths/place.js';
import { ruleOf } from '../tables/index.js';
import { type ExecutionContract, type Finding, type Segment, type Verdict } from '../verdict.js';
import { DEEP, guard, hidden, isIllFormed, MANY, TOO_DEEP, TOO_LONG, byteLength, whyUnreadable } from './guards.js';
import { invoke } from './invoke.js';
import { outputOf } from './output.js';
import { collect, inherited, noVariables, type Definition } from './variables.js';
import { add, NO_INPUT, type Engine, type Field, type Report, type Scope, type ScriptOptions } from './scope.js';
import { segmentOf, worst } from './segments.js';
import { sourceOf, spanOf, type Source, type Text } from './text.js';
import { walkScript } from './walk.js';
import { fieldsOf, textOf } from './words.js';

const SHELLS = new Set(['bash', 'sh', 'dash', 'ash', 'ksh', 'zsh']);
/** How the reason begins where the classifier itself failed: the command is dangerous then, whatever was seen of it before. */
export const NOT_JUDGED = 'It could not be judged';
/** How many alternative values and inner texts are looked into for one command, and how many expansions worked out. */
const BUDGET = 400;
const EFFORT = 3000;

/**
 * Judges a command as `bash --noprofile --norc -c` would run it. Never throws, does no I/O: whatever cannot be understood is dangerous.
 */
export const classifyShell = (command: string, context: ClassifyContext = {}): Verdict => {
  const refusal = refuse(command, context);
  if (refusal) return refusal;
  const report: Report = {
    drafts: [],
    findings: guard(command),
    budget: BUDGET,
    effort: EFFORT,
    nesting: 0,
    judged: new Map(),
    values: new Map(),
  };
  try {
    const source: Source = { text: command, origin: (start, end) => ({ start, end }) };
    judgeScript(command, {
      source,
      context,
      variables: noVariables(),
      functions: new Set(),
      cwd: { place: startOf(context) },
      input: NO_INPUT,
      depth: 0,
      report,
      engine,
    });
  } catch (error) {
    report.findings.push(
      hidden(`${NOT_JUDGED} (${error instanceof Error ? error.message : 'unknown fault'}).`, { start: 0, end: command.length }),
    );
  }
  if (report.drafts.length > MANY) report.findings.push(hidden(`It has more than ${MANY} commands.`, { start: 0, end: command.length }));
  return verdictOf(command, report, context);
};

const refuse = (command: string, context: ClassifyContext): Verdict | undefined => {
  const whole = { start: 0, end: command.length };
  if (isIllFormed(command)) {
    const at = Math.max(
      0,
      [...command].findIndex((letter) => letter === '\u0000' || !letter.isWellFormed()),
    );
    return refused('It is not well-formed text, so it cannot be shown or compared.', { start: at, end: at + 1 });
  }
  if (command.length > TOO_LONG || byteLength(command) > TOO_LONG)
    return refused(`It is longer than ${TOO_LONG} bytes, which nobody can read before deciding.`, whole);
  const unreadable = whyUnreadable(command);
  if (unreadable) return refused(unreadable, whole);
  const shell = context.shell?.split('/').at(-1)?.toLowerCase();
  if (shell !== undefined && !SHELLS.has(shell))
    return bare(`${context.shell} is an unsupported shell: only bash and its kin are understood.`, whole);
  if (command.trim() === '') return bare('There is nothing to run.', whole);
  return undefined;
};

const bare = (reason: string, span: Verdict['span']): Verdict => ({
  tier: 'dangerous',
  ladder: 2,
  reason,
  span,
  effects: ['unknown'],
  segments: [],
  grantable: false,
  ungrantable: reason,
});
const refused = (reason: string, span: Verdict['span']): Verdict => ({ ...bare(reason, span), refused: true });

const judgeScript = (text: string, scope: Scope): void => {
  const script = parse(text);
  collect(script, scope.source, scope.variables);
  walkScript(script, { ...scope, functions: new Set([...scope.functions, ...functionsIn(script)]) });
};

const functionsIn = (node: SyntaxNode, names = new Set<string>(), depth = 0): Set<string> => {
  if (node.type === 'Function') names.add(node.name.value);
  const below = node.type === 'Script' ? depth + 1 : depth;
  if (below <= TOO_DEEP) forEachChild(node, (child) => functionsIn(child, names, below));
  return names;
};

/** A text that some shell will run: its own segments, its own variables, the same report. */
const runScript = (text: Text, scope: Scope, options: ScriptOptions = {}): void => {
  const { report } = scope;
  report.effort -= text.value.length >> 4;
  if (scope.depth > DEEP || --report.budget < 0 || report.effort < 0) {
    const reason = 'It has more scripts inside scripts than can be judged.';
    if (!report.findings.some((known) => known.reason === reason)) report.findings.push(hidden(reason, spanOf(text)));
    return;
  }
  const variables = options.shares ? scope.variables : inherited(scope.variables);
  if (options.positional) {
    const [zero, ...rest] = options.positional;
    const given = (fields: readonly Field[]): Definition[] => [
      { kind: 'fields', fields, source: scope.source, start: -1, end: -1, certain: true },
    ];
    variables.definitions.set('0', given(zero ? [zero] : []));
    variables.definitions.set('@', given(rest));
  }
  judgeScript(text.value, {
    ...scope,
    source: sourceOf(text),
    variables,
    cwd: { ...scope.cwd },
    depth: scope.depth + 1,
    input: options.input ?? NO_INPUT,
  });
};

const engine: Engine = {
  walk: walkScript,
  invoke,
  script: runScript,
  output: outputOf,
  fields: fieldsOf,
  text: textOf,
  isProgram: (name) => ruleOf(name) !== undefined,
};

const verdictOf = (command: string, report: Report, context: ClassifyContext): Verdict => {
  const usesGit = report.drafts.some(({ contract }) => contract);
  if (usesGit && context.strictGit)
    for (const draft of report.drafts)
      if (draft.contract) add(draft, 'exec.script', 'git may run what the repository configures.', draft.span);
  const findings: Finding[] = [...report.findings];
  for (const draft of report.drafts) findings.push(...draft.findings);
  const tier = worstTier(new Set(findings.map(({ effect }) => tierOf(effect))));
  // Nobody looks through more than this, and nothing of it is granted; what destroys is always among what is listed.
  const listed = report.drafts.filter(
    (draft, index) => index < MANY || draft.findings.some(({ effect }) => tierOf(effect) === 'destructive'),
  );
  const segments = listed.map(segmentOf);
  const reason = worst(findings);
  const ungrantable = tier === 'safe' ? undefined : whyNot(report.findings, segments);
  const leading = segments.find(({ reasonSpan }) => reasonSpan === reason?.span) ?? (reason ? undefined : segments[0]);
  return {
    tier,
    ladder: worstLadder(new Set(findings.map(({ effect, bulk }) => ladderOf(effect, bulk)))),
    reason: leading?.reason ?? reason?.reason ?? 'It runs nothing.',
    span: reason?.span ?? leading?.reasonSpan ?? { start: 0, end: command.length },
    effects: [...new Set<Effect>(['read', ...findings.map(({ effect }) => effect)])],
    segments,
    grantable: tier !== 'safe' && ungrantable === undefined,
    ...(ungrantable !== undefined && { ungrantable }),
    ...(usesGit && { contract: GIT_CONTRACT }),
  };
};

const whyNot = (findings: readonly Finding[], segments: readonly Segment[]): string | undefined =>
  findings[0]?.reason ?? segments.find((segment) => segment.ungrantable !== undefined)?.ungrantable;

/** What read-only git is judged under: nothing that the repository or the environment configures gets to run. */
export const GIT_CONTRACT: ExecutionContract = {
  shell: 'bash --noprofile --norc -c',
  env: { PAGER: 'cat', GIT_PAGER: 'cat', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' },
  scrub: ['GIT_*', 'LD_*', 'DYLD_*', 'BASH_ENV', 'ENV', 'PROMPT_COMMAND', '*PAGER', '*EDITOR'],
  git: ['core.fsmonitor=false', 'core.hooksPath=/dev/null'],
};
