import { canonicalJson } from '#libs/kernel';
import { type ClassifyContext } from '../context.js';
import { rankOf, type Effect, type Ladder, type Tier } from '../effects.js';
import { pathOf, placeOf, placesOf, startOf, type Place } from '../paths/place.js';
import { isSecret } from '../paths/secrets.js';
import { judgeWrite } from '../paths/writes.js';
import { classifyShell } from '../shell/classify-shell.js';
import { isIllFormed, TOO_LONG } from '../shell/guards.js';
import { type Constraints, type Verdict } from '../verdict.js';
import { judgementOf, type DeclaredTool, type Judgement, type ToolAnnotations } from './tool-class.js';

export type ToolContext = ClassifyContext &
  Readonly<{
    /** The workbench's own tools, and those whose class an operator declared, by name. */
    catalog?: Readonly<Record<string, DeclaredTool>>;
    /** What the MCP server says of the tool that is called. */
    annotations?: ToolAnnotations;
  }>;

const SHELL_TOOLS = new Set(['bash', 'exec', 'shell', 'sh', 'run_shell_command', 'execute_command', 'run_terminal_cmd', 'terminal']);
const WRITE_TOOLS = new Set([
  'write',
  'file_write',
  'write_file',
  'edit',
  'file_edit',
  'edit_file',
  'multiedit',
  'multi_edit',
  'notebookedit',
  'notebook_edit',
  'create_file',
  'str_replace',
  'replace',
  'insert',
]);
const READ_TOOLS = new Set([
  'read',
  'file_read',
  'read_file',
  'view',
  'view_file',
  'notebookread',
  'grep',
  'glob',
  'ls',
  'list_dir',
  'list_directory',
  'search_files',
]);
const PATHS = ['file_path', 'path', 'filePath', 'filename', 'file', 'notebook_path', 'target_file', 'absolute_path', 'dir_path'];
/** Words in the name of an unknown tool that say that it moves money. */
const MONEY =
  /(^|[^a-z])(pay|pays|payment|payments|payout|payouts|refund|refunds|charge|charges|purchase|buy|transfer|invoice|withdraw|checkout|billing|subscribe|donate|tip|wire)([^a-z]|$)/;

/**
 * Judges a call of any tool. A shell by its command, files by where the path leads, the catalog's tools by their class, anything else as
 * unknown. Never throws: what cannot be judged is denied.
 */
export const classifyTool = (toolName: unknown, toolInput: unknown, context: ToolContext = {}): Verdict => {
  try {
    if (typeof toolName !== 'string' || toolName.trim() === '' || isIllFormed(toolName)) return denied('The call names no tool.');
    if (typeof toolInput !== 'object' || toolInput === null || Array.isArray(toolInput))
      return denied('The input of the call is not an object.');
    const input = toolInput as Readonly<Record<string, unknown>>;
    // A name in other letters or with spaces is the same tool, never a laxer one.
    const tool = toolName.trim().toLowerCase();
    if (SHELL_TOOLS.has(tool))
      return typeof input['command'] === 'string' ? classifyShell(input['command'], context) : denied('The call holds no command.');
    if (isIllFormed(textOf(input))) return denied('The input of the call is not well-formed text.');
    if (WRITE_TOOLS.has(tool)) return onPath(tool, input, context, writing);
    if (READ_TOOLS.has(tool)) return onPath(tool, input, context, reading);
    return declared(tool, toolName, input, context);
  } catch {
    return denied('The call could not be judged.');
  }
};

const denied = (reason: string): Verdict => ({
  tier: 'dangerous',
  ladder: 2,
  reason,
  span: { start: 0, end: 0 },
  effects: ['unknown'],
  segments: [],
  grantable: false,
  ungrantable: reason,
  refused: true,
});

/** The input as text; whatever cannot be written as JSON is not well formed. */
const textOf = (input: object): string => canonicalJson(input);

type Found = Readonly<{ effect: Effect; tier: Tier; ladder: Ladder; why: string }>;

const onPath = (
  tool: string,
  input: Readonly<Record<string, unknown>>,
  context: ToolContext,
  judge: (place: Place, context: ToolContext) => Found,
): Verdict => {
  const key = PATHS.find((name) => typeof input[name] === 'string');
  const path = key === undefined ? undefined : (input[key] as string);
  if (path === undefined) {
    const searches = ['grep', 'glob', 'ls', 'list_dir', 'list_directory', 'search_files'].includes(tool);
    return searches
      ? single(tool, '.', { effect: 'read', tier: 'safe', ladder: 0, why: 'reads the workspace' }, {})
      : denied('The call names no file.');
  }
  const home = path === '~' || path.startsWith('~/') ? `\u0001${path.slice(1)}` : path;
  const places = placesOf(placeOf(home, startOf(context), context), context);
  const worst = places.map((place) => judge(place, context)).reduce((a, b) => (rankOf(b.tier) > rankOf(a.tier) ? b : a));
  return single(tool, path, worst, { paths: places.map(pathOf) });
};

const writing = (place: Place, context: ToolContext): Found => {
  const judged = judgeWrite(place, context);
  if (!judged || judged.effect === 'write.workspace')
    return { effect: 'write.workspace', tier: 'safe', ladder: 1, why: `writes ${pathOf(place)}, inside the workspace` };
  const destructive = judged.effect === 'write.device' || judged.effect.startsWith('destroy.');
  return {
    effect: judged.effect,
    tier: destructive ? 'destructive' : 'dangerous',
    ladder: destructive ? 4 : 2,
    why: `writes there: ${judged.why}`,
  };
};

const reading = (place: Place, context: ToolContext): Found =>
  isSecret(place) && context.secretReads !== 'allow'
    ? { effect: 'read.secret', tier: 'dangerous', ladder: 2, why: `reads ${pathOf(place)}, which holds secrets` }
    : { effect: 'read', tier: 'safe', ladder: 0, why: `reads ${pathOf(place)}` };

const declared = (tool: string, name: string, input: object, context: ToolContext): Verdict => {
  const known = context.catalog?.[name] ?? context.catalog?.[tool];
  const { annotations } = context;
  const server = /^mcp__(.+?)__/.exec(tool)?.[1];
  const trusted = server !== undefined && context.trustedServers?.some((one) => one.toLowerCase() === server) === true;
  let found: Judgement = judgementOf(known ?? { class: trusted && annotations?.readOnlyHint === true ? 'read' : 'unknown' });
  if (!known && found.tier !== 'safe' && MONEY.test(tool.replace(/([a-z])([A-Z])/g, '$1_$2')))
    found = { ...judgementOf({ class: 'financial' }), why: 'is not known, and its name says that it moves money' };
  if (annotations?.destructiveHint === true && rankOf(found.tier) < rankOf('destructive'))
    found = { ...judgementOf({ class: 'destructive' }), why: 'is said by its own server to destroy' };
  return single(
    tool,
    name,
    { effect: found.effect, tier: found.tier, ladder: found.ladder, why: found.why },
    { exact: [tool, textOf(input)] },
  );
};

const UNGRANTABLE: Readonly<Partial<Record<Effect, string>>> = {
  spend: 'Spending is asked for every time.',
  'write.sensitive': 'Writing there is asked for every time.',
};

const single = (tool: string, text: string, { effect, tier, ladder, why }: Found, constraints: Constraints): Verdict => {
  const reason = `${tool} ${why}.`;
  const span = { start: 0, end: text.length };
  const effects: readonly Effect[] = [...new Set<Effect>(['read', effect])];
  const ungrantable =
    tier === 'safe'
      ? undefined
      : tier === 'destructive'
        ? 'What destroys is never allowed for good.'
        : (UNGRANTABLE[effect] ?? (JSON.stringify(constraints).length > TOO_LONG ? 'It is too long to be shown whole.' : undefined));
  return {
    tier,
    ladder,
    reason,
    span,
    effects,
    segments: [
      {
        text,
        span,
        prefix: [tool],
        tier,
        ladder,
        effects,
        reason,
        reasonSpan: span,
        findings: [{ effect, reason, span }],
        constraints,
        ...(ungrantable !== undefined && { ungrantable }),
      },
    ],
    grantable: tier === 'dangerous' && ungrantable === undefined,
    ...(ungrantable !== undefined && { ungrantable }),
  };
};
