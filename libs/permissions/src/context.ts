/** What the classifier may know about where a call will run. All of it is optional; less knowledge never makes a verdict milder. */
export type ClassifyContext = Readonly<{
  /** Absolute. Without it, the call is taken to start in the workspace root. */
  cwd?: string;
  /** Absolute root of the workspace; `cwd` if absent. */
  workspace?: string;
  home?: string;
  /** Name of the shell that will run it; anything but a POSIX shell is unsupported. */
  shell?: string;
  /** Asks for read-only git too: for callers that cannot keep the execution contract. */
  strictGit?: boolean;
  /** `allow` judges the reading of secrets as any other reading. */
  secretReads?: 'ask' | 'allow';
  /** Where a path leads once links are followed; undefined where it does not exist. The classifier itself touches no disk. */
  realpath?: (path: string) => string | undefined;
  /** Further paths that only a person may let be written: the product's own policies and data. Absolute, or relative to the workspace. */
  protectedPaths?: readonly string[];
  /** MCP servers whose declared tool classes are believed. */
  trustedServers?: readonly string[];
}>;
