/** How long things last, in milliseconds, and how strictly calls are judged. */
export class PermissionSettings {
  constructor(
    /** To decide on a request, and to run what was approved. */
    readonly requestMs = 15 * 60_000,
    readonly grantMs = 30 * 86_400_000,
    readonly grantUses = 1_000,
    /** `allow`: reading secrets is judged as any other reading. */
    readonly secretReads: 'ask' | 'allow' = 'ask',
    /** Asks for read-only git too. */
    readonly strictGit = false,
    /** Of sockets. */
    readonly heartbeatMs = 30_000,
  ) {}
}
