export type PermissionOptions = Readonly<{
  /** To decide on a request, and to run what was approved. */
  requestMs: number;
  grantMs: number;
  grantUses: number;
  /** Calls that may wait for their owner at a time. */
  pendingPerAgent: number;
  pendingPerOwner: number;
  /** `allow`: reading secrets is judged as any other reading. */
  secretReads: 'ask' | 'allow';
  /** Below these directories the server may look at files that a call runs; absolute. */
  scriptRoots: readonly string[];
  /** Asks for read-only git too. */
  strictGit: boolean;
  /** MCP servers whose tools are believed to be as harmless as they say. */
  trustedServers: readonly string[];
  /** Of sockets. */
  heartbeatMs: number;
}>;

/** How long things last, in milliseconds, and how strictly calls are judged. */
export class PermissionSettings implements PermissionOptions {
  readonly requestMs: number;
  readonly grantMs: number;
  readonly grantUses: number;
  readonly pendingPerAgent: number;
  readonly pendingPerOwner: number;
  readonly secretReads: 'ask' | 'allow';
  readonly scriptRoots: readonly string[];
  readonly strictGit: boolean;
  readonly trustedServers: readonly string[];
  readonly heartbeatMs: number;

  constructor(over: Partial<PermissionOptions> = {}) {
    this.requestMs = over.requestMs ?? 15 * 60_000;
    this.grantMs = over.grantMs ?? 30 * 86_400_000;
    this.grantUses = over.grantUses ?? 1_000;
    this.pendingPerAgent = over.pendingPerAgent ?? 100;
    this.pendingPerOwner = over.pendingPerOwner ?? 300;
    this.secretReads = over.secretReads ?? 'ask';
    this.scriptRoots = over.scriptRoots ?? ['/'];
    this.strictGit = over.strictGit ?? false;
    this.trustedServers = over.trustedServers ?? [];
    this.heartbeatMs = over.heartbeatMs ?? 30_000;
  }
}
