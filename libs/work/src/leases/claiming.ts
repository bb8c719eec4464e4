import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Drain, standAside } from '#libs/http';
import { Doorbell, DomainError, refusal, type CommandMeta, type Handled } from '#libs/kernel';
import { Clock } from '#libs/postgres';
import { Feed, type FeedItem } from '#libs/projections';
import { HandleTask } from '../task.handler.js';
import type { TaskEvent } from '../task-events.js';
import type { Task } from '../task.js';
import { ClaimHints } from './claim-hints.js';
import { capabilitiesOf, notEligible, type Claims } from './holder.js';

/** Without `taskId` it is for the oldest task of any queue that the claim is eligible for. `waitMs`: how long to wait for one. */
export type Wish = Claims & Readonly<{ queue?: string; taskId?: string; waitMs?: number }>;
type Granted = Handled<Task, TaskEvent>;

/** How a claim that doesn't name its task finds one. */
@Injectable()
export class Claiming {
  constructor(
    private readonly commands: CommandBus,
    private readonly hints: ClaimHints,
    private readonly feed: Feed,
    private readonly clock: Clock,
    private readonly drain: Drain,
  ) {}

  /** Undefined: nothing is claimable. Who loses a race goes on to the next task; the same command finds its own lease again. */
  async claim(meta: CommandMeta, { queue, taskId, waitMs = 0, ...stated }: Wish, signal: AbortSignal): Promise<Granted | undefined> {
    const capabilities = capabilitiesOf(meta.actor, stated);
    if ('code' in capabilities) throw new DomainError(capabilities);
    if (queue !== undefined && !capabilities.includes(queue)) throw new DomainError(notEligible(queue, capabilities));
    const claims = { ...stated, capabilities: queue === undefined ? capabilities : [queue] };
    return taskId === undefined ? this.await(meta, claims, waitMs, signal) : this.named(meta, claims, taskId);
  }

  private async named(meta: CommandMeta, claims: Eligible, taskId: string): Promise<Granted> {
    // Only the task's own stream knows what was claimed by this key; a key that went to another task asks for a second lease.
    if ((await this.hints.keep(meta, taskId)) !== taskId)
      throw new DomainError(
        refusal('invalid', 'idempotency/other-body', 'This Idempotency-Key was used for another task. Use a new key for a new wish.'),
      );
    return this.commands.execute(new HandleTask(taskId, { type: 'ClaimTask', data: { ...claims, amend: true }, meta }));
  }

  private async await(meta: CommandMeta, claims: Eligible, waitMs: number, signal: AbortSignal): Promise<Granted | undefined> {
    const bell = new Doorbell();
    const leave =
      waitMs > 0
        ? this.feed.subscribe((items) => void (items.some((item) => isFor(item, meta.tenantId, claims)) && bell.ring()), { eager: true })
        : undefined;
    try {
      for (const until = performance.now() + waitMs; ;) {
        const seen = bell.count;
        const granted = await this.next(meta, claims);
        const left = until - performance.now();
        if (granted || left <= 0 || signal.aborted || this.drain.stopping) return granted;
        await standAside(() => bell.wait(seen, Math.min(left, LOOK_AGAIN_MS), signal));
      }
    } finally {
      leave?.();
    }
  }

  private async next(meta: CommandMeta, claims: Eligible): Promise<Granted | undefined> {
    const { commandId, tenantId, actor } = meta;
    const tried: string[] = [];
    while (tried.length < MOST_TRIES) {
      const taskId = await this.hints.next({ commandId, tenantId, workspaceIds: actor.workspaceIds, queues: claims.capabilities, tried });
      if (taskId === undefined) return undefined;
      try {
        const now = { ...meta, at: this.clock.now() };
        return await this.commands.execute(new HandleTask(taskId, { type: 'ClaimTask', data: { ...claims, amend: false }, meta: now }));
      } catch (error) {
        if (!(error instanceof DomainError && LOST.includes(error.refusal.code))) throw error;
        tried.push(taskId);
      }
    }
    return undefined;
  }
}

type Eligible = Claims & Readonly<{ capabilities: readonly string[] }>;

const isFor = ({ kind, tenantId, data }: FeedItem, tenant: string, { capabilities }: Eligible): boolean => {
  const { task } = data as { task?: { status: string; queue: string } };
  return kind === 'task' && tenantId === tenant && task?.status === 'queued' && capabilities.includes(task.queue);
};

/** What a claim is refused with where another was faster. */
const LOST: readonly string[] = ['lease/taken', 'lease/not-claimable', 'stream/busy', 'task/not-found'];
/** While read models stand still, the oldest tasks may all be taken. */
const MOST_TRIES = 50;
/** As long as a hint of a claim that died keeps others away. */
const LOOK_AGAIN_MS = 3_000;
