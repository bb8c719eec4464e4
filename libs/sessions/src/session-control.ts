import {
  derivedId,
  digestOf,
  DomainError,
  Doorbell,
  readState,
  refusal,
  streamName,
  type CommandMeta,
  type EventStore,
  type Handled,
  type Principal,
} from '#libs/kernel';
import { approvalIdOf } from './approvals/approval-id.js';
import { decided, type Decided, type ListedGrant } from './approvals/decided.js';
import type { JudgeCall } from './approvals/judged-call.js';
import { meant, storedGrant, type ResolveApproval } from './approvals/resolve.js';
import { timeOutOf } from './approvals/timeout.js';
import { conversationIdOf } from './conversations/conversation.js';
import { coveredBy, grantsOfConversation, storeInConversation, type GrantParts } from './conversations/conversation-grants.js';
import { DAYS, pastCalls, previewOf, type GrantPreview, type PastCall } from './grants/grant-preview.js';
import { ungrantable } from './grants/session-grant.js';
import type { StandingGrants } from './grants/standing-grants.js';
import { approvalNotFound, over, ownerOnly, sessionNotFound } from './refusals.js';
import { reaches, sessionDecider, type SessionCommand, type StartSession } from './session.decider.js';
import { approvalOf, grantOf, type Approval, type KnownSession, type SessionState } from './session.js';
import type { HeldCall, SessionEvent, SessionGrantStored, SessionOptions } from './session-events.js';
import type { SessionSettings } from './session-settings.js';
import type { AskedCall, Begin, OwnerDecision, Waiting } from './wishes.js';

/** What the control plane stands on: the server gives its own, a runner in the same process a store and a clock. */
export type ControlParts = Readonly<{
  store: EventStore;
  execute(id: string, command: SessionCommand): Promise<Handled<SessionState, SessionEvent>>;
  now(): string;
  judge: JudgeCall;
  settings: SessionSettings;
  converse: GrantParts['converse'];
  standing?: StandingGrants | undefined;
  /** Ids of sessions of this owner and runner in which something may have been asked since then. */
  recent?(owner: Principal, runnerId: string, since: string): Promise<readonly string[]>;
  /** Rings when something may have changed in the session; returns what stops it. */
  listen(sessionId: string, ring: () => void): () => void;
  /** True once nobody should be kept waiting. */
  stopping(): boolean;
}>;

export type SessionAsRead = Readonly<{ session: KnownSession; revision: bigint; tenantId: string; workspaceId: string }>;
type Done = Handled<SessionState, SessionEvent>;

/** Control flows in here, and nowhere else: what a session's events announce, only these calls decide. */
export class SessionControl {
  constructor(private readonly parts: ControlParts) {}

  /** `meta.actor` is the runner, the human accountable for it, or an operator. Its id follows from the command. */
  async start(meta: CommandMeta, begin: Begin): Promise<Done> {
    const { runner, title = '', options = {}, parentSessionId, conversationId, agentId, cwd } = begin;
    const id = derivedId(meta.commandId, 'session');
    const parent = parentSessionId === undefined ? undefined : await this.parent(runner, parentSessionId);
    const data: StartSession['data'] = {
      owner: runner.accountableHuman,
      runner: { id: runner.id, name: runner.name },
      options: { ...DEFAULTS, ...options },
      title,
      operator: meta.actor.roles.includes('operator'),
      ...(parent && { parent }),
      ...(conversationId !== undefined && { conversationId }),
      ...(agentId !== undefined && { agentId }),
      ...(cwd !== undefined && { cwd }),
    };
    // On record with the parent first: whoever cancels it then finds the child, or there never is one.
    if (parent) {
      const own = { ...meta, commandId: derivedId(meta.commandId, 'child'), requestDigest: digestOf({ childSessionId: id }) };
      const child = { childSessionId: id, owner: runner.accountableHuman };
      await this.unlessBusy(() => this.parts.execute(parent.sessionId, { type: 'AddChildSession', data: child, meta: own }));
    }
    return this.parts.execute(id, { type: 'StartSession', data, meta });
  }

  /** The session as it stands in its stream, for its runner and its owner. Else 404 `session/not-found`. */
  async find(reader: Principal, sessionId: string): Promise<SessionAsRead> {
    const { events, state, revision } = await readState(this.parts.store, sessionDecider, sessionId, reader);
    if (state.status === 'none' || !reaches(reader, state)) throw new DomainError(sessionNotFound());
    const { tenantId, workspaceId } = events[0]!.meta;
    return { session: state, revision, tenantId, workspaceId };
  }

  /**
   * Asks for one call and waits, at most `waitMs`, until it is decided. Asking again under the same id with the same call waits on, and
   * is answered as before; with another call it is 409 `approval/exists`.
   */
  async request(meta: CommandMeta, sessionId: string, call: AskedCall, waiting: Waiting): Promise<Approval> {
    let approvalId = call.approvalId ?? approvalIdOf(meta);
    const { tool, reason, toolInput } = call;
    const callDigest = digestOf({ tool, toolInput });
    const found = await this.find(meta.actor, sessionId);
    const known = approvalOf(found.session, approvalId);
    if (known?.askedDigest !== callDigest) {
      const judged = this.judge(call, found.session.cwd);
      const held = { approvalId, tool, reason, toolInput, callDigest, judged };
      const covered = known ? undefined : await coveredBy(this.parts, meta, found, held);
      const data = { ...held, ...(covered && { covered }) };
      try {
        const { events } = await this.unlessBusy(() => this.parts.execute(sessionId, { type: 'RequestApproval', data, meta }));
        // A command that is sent again finds the id that it was given first.
        for (const event of events) if ('approvalId' in event.data) approvalId = event.data.approvalId;
      } catch (error) {
        // The same request, sent twice at once: one of them was written.
        if (!(error instanceof DomainError && error.refusal.facts?.['askedDigest'] === callDigest)) throw error;
      }
    }
    return this.decisionOf(meta.actor, sessionId, approvalId, waiting);
  }

  /** What became of the owner's decision: allowed or denied, or, where their input is judged worse, waiting for them again. */
  async resolve(meta: CommandMeta, sessionId: string, decision: OwnerDecision): Promise<Decided> {
    const { approvalId, allow, remember = false, scope = 'session', feedback, modifiedInput, presentedDigest } = decision;
    const before = await this.find(meta.actor, sessionId);
    const widely = allow && remember && scope === 'conversation';
    if (widely && before.session.conversationId === undefined)
      throw new DomainError(
        refusal('conflict', 'session/no-conversation', 'This session is of no conversation. Remember it for the session.'),
      );
    const modified = allow && modifiedInput !== undefined ? this.modified(before.session, approvalId, modifiedInput) : undefined;
    const handled = await this.parts.execute(sessionId, {
      type: 'ResolveApproval',
      data: {
        allow,
        remember: remember && !widely,
        grantMs: this.parts.settings.grantMs,
        ...(approvalId !== undefined && { approvalId }),
        ...(feedback !== undefined && { feedback }),
        ...(presentedDigest !== undefined && { presentedDigest }),
        ...modified,
      },
      meta,
    });
    const done = decided(handled, allow && remember);
    const grant = widely ? this.grantOf(meta, before.session, done, modified) : undefined;
    if (!grant) return done;
    await storeInConversation(this.parts, meta, before, grant);
    const { why: _, ...rest } = done;
    return { ...rest, remembered: true, grant, scope };
  }

  /** Trips the run's token for good, and denies every approval in flight. */
  async cancel(meta: CommandMeta, sessionId: string, reason: string): Promise<Done> {
    try {
      const done = await this.parts.execute(sessionId, { type: 'CancelSession', data: { reason }, meta });
      await this.cancelChildren(meta, (done.state as KnownSession).children ?? [], reason);
      return done;
    } catch (error) {
      // Cancelled before: should whoever did that not have got to the end, this does.
      if (error instanceof DomainError && error.refusal.code === 'session/cancelled')
        await this.cancelChildren(meta, (await this.find(meta.actor, sessionId)).session.children ?? [], reason);
      throw error;
    }
  }

  /** Sessions that work for one that is cancelled, and those that work for them. Done again it changes nothing. */
  async cancelChildren(meta: CommandMeta, children: readonly string[], reason: string): Promise<void> {
    for (const sessionId of children) {
      const own = { ...meta, commandId: derivedId(meta.commandId, 'cancel', sessionId), requestDigest: digestOf({ reason }) };
      await this.cancel(own, sessionId, reason).catch((error: unknown) => {
        if (!(error instanceof DomainError && ['session/cancelled', 'session/not-found'].includes(error.refusal.code))) throw error;
      });
    }
  }

  /** Of the session, or of its conversation. */
  async revokeGrant(meta: CommandMeta, sessionId: string, grantId: string): Promise<Readonly<{ handled: Handled; grant: ListedGrant }>> {
    const found = await this.find(meta.actor, sessionId);
    const conversation = conversationIdOf(found.session, found.workspaceId);
    if (grantOf(found.session, grantId) || conversation === undefined) {
      const handled = await this.parts.execute(sessionId, { type: 'RevokeSessionGrant', data: { grantId }, meta });
      return { handled, grant: { ...grantOf(handled.state as KnownSession, grantId)!, scope: 'session' } };
    }
    const handled = await this.parts.converse(conversation, { type: 'RevokeConversationGrant', data: { grantId }, meta });
    return { handled, grant: { ...grantOf(handled.state, grantId)!, scope: 'conversation' } };
  }

  /** What remembering an approval that waits would cover, and would have covered in the last 30 days. For its owner. */
  async preview(owner: Principal, sessionId: string, approvalId: string): Promise<GrantPreview> {
    const { session } = await this.find(owner, sessionId);
    if (owner.id !== session.owner) throw new DomainError(ownerOnly());
    const approval = approvalOf(session, approvalId);
    if (!approval) throw new DomainError(approvalNotFound());
    if (approval.status === 'resolved') throw new DomainError(over(approval));
    const since = new Date(Date.parse(this.parts.now()) - DAYS * 86_400_000).toISOString();
    const recent = (await this.parts.recent?.(owner, session.runner.id, since)) ?? [];
    const past: PastCall[] = [];
    for (const id of new Set([sessionId, ...recent])) {
      const { events } = await this.parts.store.readStream<SessionEvent>(streamName(sessionDecider.category, id));
      past.push(...pastCalls(id, events, since));
    }
    return previewOf(approval, past);
  }

  /** What is not asked about again in it, also what is over: its own, and those of its conversation. */
  async grants(reader: Principal, sessionId: string): Promise<readonly ListedGrant[]> {
    const found = await this.find(reader, sessionId);
    const shared = await grantsOfConversation(this.parts, found);
    return [
      ...Object.values(found.session.grants).map((grant): ListedGrant => ({ ...grant, scope: 'session' })),
      ...shared.map((grant): ListedGrant => ({ ...grant, scope: 'conversation' })),
    ];
  }

  /** A run may hold back many calls at once, and none of them is denied because of the others. */
  private async unlessBusy(work: () => Promise<Done>): Promise<Done> {
    for (let attempt = 1; ; attempt++)
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof DomainError && error.refusal.code === 'stream/busy') || attempt === MOST_ATTEMPTS) throw error;
      }
  }

  private async decisionOf(reader: Principal, sessionId: string, approvalId: string, { waitMs, signal }: Waiting): Promise<Approval> {
    const { now, listen, stopping } = this.parts;
    const bell = new Doorbell();
    const leave = listen(sessionId, bell.ring);
    try {
      for (const until = performance.now() + waitMs; ;) {
        const seen = bell.count;
        const { session, tenantId, workspaceId } = await this.find(reader, sessionId);
        const approval = approvalOf(session, approvalId)!;
        const left = until - performance.now();
        if (approval.status === 'resolved' || signal.aborted) return approval;
        const { timeoutAt } = approval;
        const at = now();
        const due = timeoutAt === null ? Infinity : Date.parse(timeoutAt) - Date.parse(at);
        // Told at its time, also where the one that keeps deadlines stands still. Whoever was faster: the next look finds it.
        if (due <= 0)
          await this.parts.execute(sessionId, timeOutOf({ tenantId, workspaceId, sessionId, approvalId, at })).catch((error: unknown) => {
            if (!(error instanceof DomainError)) throw error;
          });
        else if (left <= 0 || stopping()) return approval;
        else await bell.wait(seen, Math.min(left, due, LOOK_AGAIN_MS), signal);
      }
    } finally {
      leave();
    }
  }

  /** A judge that fails lets a person see the call, and remembers nothing. */
  private judge({ tool, toolInput, tier = 0 }: Omit<AskedCall, 'reason'>, cwd: string | undefined): HeldCall['judged'] {
    const judged = (() => {
      try {
        return this.parts.judge({ tool, toolInput, ...(cwd !== undefined && { cwd }) });
      } catch {
        return { tier: MOST_TIER, program: [], effects: ['unknown'], ungrantable: 'It could not be judged.' };
      }
    })();
    return { ...judged, tier: Math.max(judged.tier, tier) };
  }

  /** Judged for the approval that is meant now; where none waits, the decider takes the input for no approval that comes later. */
  private modified(session: KnownSession, approvalId: string | undefined, toolInput: HeldCall['toolInput']): Rewritten {
    const approval = meant(session, approvalId);
    if ('code' in approval || approval.status !== 'pending') return { modified: 'unjudged' };
    const { tool } = approval;
    const judged = this.judge({ tool, toolInput }, session.cwd);
    return { approvalId: approval.approvalId, modified: { toolInput, callDigest: digestOf({ tool, toolInput }), judged } };
  }

  /** What a conversation remembers of a call that was allowed; undefined where such calls are decided every time, or it waits again. */
  private grantOf(
    { actor, commandId, at }: CommandMeta,
    session: KnownSession,
    { approvalId, resolution }: Decided,
    rewritten: Rewritten | undefined,
  ): SessionGrantStored['data'] | undefined {
    const approval = approvalOf(session, approvalId);
    if (!resolution?.allow || approval?.status !== 'pending') return undefined;
    const judged = rewritten?.modified && rewritten.modified !== 'unjudged' ? rewritten.modified.judged : approval.judged;
    if (ungrantable({ tool: approval.tool, judged }) !== undefined) return undefined;
    return storedGrant(approvalId, approval.tool, judged, {
      by: { id: actor.id, name: actor.name },
      at,
      commandId,
      ms: this.parts.settings.grantMs,
    });
  }

  private async parent(runner: Principal, sessionId: string): Promise<NonNullable<StartSession['data']['parent']>> {
    const { session } = await this.find({ ...runner, id: runner.accountableHuman }, sessionId);
    return { sessionId, unattended: session.options.unattended, running: session.status === 'running' };
  }
}

type Rewritten = Pick<ResolveApproval['data'], 'approvalId' | 'modified'>;
const DEFAULTS: SessionOptions = { unattended: false, approvalTimeoutMs: null, amendmentPolicy: 'deny', escalationPolicy: 'deny' };
const MOST_TIER = 5;
const MOST_ATTEMPTS = 10;
/** Should the doorbell stand still: decisions are in the stream. */
const LOOK_AGAIN_MS = 3_000;
