import { digestOf } from '#libs/kernel';

/** A file that a call runs, as the command names it, with the SHA-256 of what it held. */
export type SeenFile = Readonly<{ path: string; sha256: string }>;

/** A tool call as the agent's runtime states it. The principal that calls is never among it: that is its credential's. */
export type ToolCall = Readonly<{
  toolName: string;
  toolInput: Readonly<Record<string, unknown>>;
  /** What the runtime calls the agent: a label, or the id of the very principal that calls. */
  agentId: string;
  sessionId?: string;
  cwd?: string;
  shell?: string;
  /** Absolute root of the workspace, and home directory, where the call will run. */
  workspace?: string;
  home?: string;
  /** What the MCP server of the tool says of it; believed only where it makes things worse, or where the server is trusted. */
  annotations?: Readonly<{ readOnlyHint?: boolean; destructiveHint?: boolean }>;
  /** Never the runtime's: what the server saw of the files that it runs, when it was asked. */
  files?: readonly SeenFile[];
}>;

/** SHA-256 of exactly this call and of what it runs, as far as that was seen: an approval is redeemed by the same one only. */
export const digestOfCall = (call: ToolCall): string => {
  const { toolName, toolInput, agentId, sessionId, cwd, shell, workspace, home, annotations, files = [] } = call;
  return digestOf({
    schema: 1,
    toolName,
    toolInput,
    agentId,
    sessionId: sessionId ?? null,
    cwd: cwd ?? null,
    shell: shell ?? null,
    workspace: workspace ?? null,
    home: home ?? null,
    annotations: annotations ?? null,
    ...(files.length > 0 && { files }),
  });
};

/** Where the call says that it will run; a standing approval is for there only. */
export const whereOf = ({ workspace, cwd }: Pick<ToolCall, 'workspace' | 'cwd'>): string | undefined => workspace ?? cwd;

/** The one text of a call that a person reads: the command of a shell, else the path, else the whole input. */
export const shownCommand = ({ toolInput }: Pick<ToolCall, 'toolInput'>): string => {
  for (const name of ['command', 'file_path', 'path']) if (typeof toolInput[name] === 'string') return toolInput[name];
  return JSON.stringify(toolInput);
};

/**
 * The call with another input, as a person wrote it: for a tool that takes a command it is the new command, for any other the
 * whole input as the text of a JSON object. Undefined where it is neither.
 */
export const withInput = (call: ToolCall, modifiedInput: string, parse: (text: string) => unknown): ToolCall | undefined => {
  if (typeof call.toolInput['command'] === 'string') return { ...call, toolInput: { ...call.toolInput, command: modifiedInput } };
  const toolInput = parse(modifiedInput);
  return typeof toolInput === 'object' && toolInput !== null && !Array.isArray(toolInput)
    ? { ...call, toolInput: toolInput as Record<string, unknown> }
    : undefined;
};
