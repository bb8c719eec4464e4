import { Injectable, Optional, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { EventStreams } from '#libs/http';
import type { Refusal } from '#libs/kernel';
import { IdentityDirectory } from '../identity-directory.js';

const PERIOD_MS = 750;
const AT_ONCE = 8;

type Ended = (why: Refusal) => void;

/**
 * Ends what goes on when its credential is of no use any more, within 2 seconds on every server: every open stream by itself, and
 * whatever else asks to be told. Reads the streams of these credentials themselves, each about once a second, so it does not depend on
 * projections. While the store cannot be read nothing ends: nothing new is sent then either.
 */
@Injectable()
export class CredentialWatch implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly watched = new Map<string, Set<Ended>>();
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly directory: IdentityDirectory,
    // A process without an HTTP edge has none.
    @Optional() private readonly streams?: EventStreams,
  ) {}

  /** For long polls and sockets. Calls `ended` at most once. Returns what stops the watch; call it when there is nothing to end any more. */
  watch(credentialId: string, ended: Ended): () => void {
    const listeners = this.watched.get(credentialId) ?? new Set();
    this.watched.set(credentialId, listeners.add(ended));
    return () => {
      listeners.delete(ended);
      if (listeners.size === 0 && this.watched.get(credentialId) === listeners) this.watched.delete(credentialId);
    };
  }

  onApplicationBootstrap(): void {
    this.schedule(PERIOD_MS);
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private schedule(ms: number): void {
    if (!this.stopped) this.timer = setTimeout(() => void this.look(), ms);
  }

  private async look(): Promise<void> {
    const started = performance.now();
    const ids = [...new Set([...this.watched.keys(), ...(this.streams?.credentials() ?? [])])];
    const readers = Array.from({ length: Math.min(AT_ONCE, ids.length) }, async () => {
      for (let id = ids.pop(); id !== undefined; id = ids.pop()) await this.check(id).catch(() => undefined);
    });
    await Promise.all(readers);
    this.schedule(Math.max(0, PERIOD_MS - (performance.now() - started)));
  }

  private async check(credentialId: string): Promise<void> {
    const { active, why } = await this.directory.principalOf(credentialId);
    if (active) return;
    const listeners = this.watched.get(credentialId);
    this.watched.delete(credentialId);
    this.streams?.closeFor(credentialId, { code: why!.code, detail: why!.detail });
    for (const ended of listeners ?? []) ended(why!);
  }
}
