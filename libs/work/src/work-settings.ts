/** How long leases last without renewal (in milliseconds; by queue where it differs), and where the server may read git repositories. */
export class WorkSettings {
  constructor(
    private readonly leaseMs = 15 * 60_000,
    readonly repositoryRoots: readonly string[] = [],
    private readonly leaseMsByQueue: Readonly<Record<string, number>> = {},
  ) {}

  leaseMsOf(queue: string): number {
    return (Object.hasOwn(this.leaseMsByQueue, queue) ? this.leaseMsByQueue[queue] : undefined) ?? this.leaseMs;
  }
}
