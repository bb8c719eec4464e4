import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { IdentityDirectory } from '../identity-directory.js';
import type { Refusal } from '#libs/kernel';

const PERIOD_MS = 1000;
const AT_ONCE = 8;

type Ended = (why: Refusal) => void;

/**
 * Tells open streams and long polls that their credential is of no use any more, within 2 seconds on every server. Reads
 * the streams of the watched credentials themselves, each once a second, so it does not depend on projections. While the store
 * cannot be read nothing ends: nothing new is sent then either.
 */
@Injectable()
export class CredentialWatch implements OnModuleDestroy {
  private readonly watched = new Map<string, Set<Ended>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly directory: IdentityDirectory) {}

  /** Calls `ended` at most once. Returns what stops the watch; call it when the stream closes. */
  watch(credentialId: string, ended: Ended): () => void {
    const listeners = this.watched.get(credentialId) ?? new Set();
    this.watched.set(credentialId, listeners.add(ended));
    this.timer ??= setTimeout(() => void this.look(), PERIOD_MS);
    return () => {
      listeners.delete(ended);
      if (listeners.size === 0 && this.watched.get(credentialId) === listeners) this.watched.delete(credentialId);
    };
  }

  onModuleDestroy(): void {
    clearTimeout(this.timer);
    this.watched.clear();
  }

  private async look(): Promise<void> {
    const started = performance.now();
    const ids = [...this.watched.keys()];
    const readers = Array.from({ length: AT_ONCE }, async () => {
      for (let id = ids.pop(); id !== undefined; id = ids.pop()) await this.check(id).catch(() => undefined);
    });
    await Promise.all(readers);
    const rest = Math.max(0, PERIOD_MS - (performance.now() - started));
    this.timer = this.watched.size > 0 ? setTimeout(() => void this.look(), rest) : undefined;
  }

  private async check(credentialId: string): Promise<void> {
    const { active, why } = await this.directory.principalOf(credentialId);
    if (active) return;
    const listeners = this.watched.get(credentialId);
    this.watched.delete(credentialId);
    for (const ended of listeners ?? []) ended(why!);
  }
}
