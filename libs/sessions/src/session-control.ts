import {
  derivedId,
  digestOf,
  DomainError,
  Doorbell,
  readState,
  sha256,
  type CommandMeta,
  type EventStore,
  type Handled,
  type Principal,
} from '#libs/kernel';
import type { JudgeCall } from './approvals/judged-call.js';
import { meant, type ResolveApproval } from './approvals/resolve.js';
import { timeOutOf } from './approvals/timeout.js';
import { sessionNotFound } from './refusals.js';
import { reaches, sessionDecider, type SessionCommand, type StartSession } from './session.decider.js';
import { approvalOf, type Approval, type KnownSession, type SessionState } from './session.js';
import type { ApprovalResolved, HeldCall, SessionEvent, SessionGrantStored, SessionOptions } from './session-events.js';
import type { SessionSettings } from './session-settings.js';

/** What the control plane stands on: the server gives its own, a runner in the same process a store and a clock. */
export type ControlParts = Readonly<{
  store: EventStore;
  execute(id: string, command: SessionCommand): Promise<Handled<SessionState, SessionEvent>>;
  now(): string;
  judge: JudgeCall;
  settings: SessionSettings;
  /** Rings when something may have changed in the session; returns what stops it. */
  listen(sessionId: string, ring: () => void): () => void;
  /** True once nobody should be kept waiting. */
  stopping(): boolean;
}>;

/** A call that a gate holds back. Without `approvalId` one is given. `tier` is the gate's own, 0 to 5; it can only raise. */
export type AskedCall = Readonly<{
  approvalId?: string;
  tool: string;
  reason: string;
  toolInput: HeldCall['toolInput'];
  tier?: number;
}>;
export type Waiting = Readonly<{ waitMs: number; signal: AbortSignal }>;
export type OwnerDecision = Readonly<{
  approvalId?: string;
  allow: boolean;
  remember?: boolean;
  feedback?: string;
  modifiedInput?: HeldCall['toolInput'];
}>;
export type Begin = Readonly<{ runner: Principal; title?: string; options?: Partial<SessionOptions>; parentSessionId?: string }>;
export type SessionAsRead = Readonly<{ session: KnownSession; revision: bigint; tenantId: string; workspaceId: string }>;
type Done = Handled<SessionState, SessionEvent>;

/** Control flows in here, and nowhere else: what a session's events announce, only these calls decide. */
export class SessionControl {
  constructor(private readonly parts: ControlParts) {}

  /** `meta.actor` is the runner, the human accountable for it, or an operator. Its id follows from the command. */
  async start(meta: CommandMeta, { runner, title = '', options = {}, parentSessionId }: Begin): Promise<Done> {
    const parent = parentSessionId === undefined ? undefined : await this.parent(runner, parentSessionId);
    const data: StartSession['data'] = {
      owner: runner.accountableHuman,
      runner: { id: runner.id, name: runner.name },
      options: { ...DEFAULTS, ...options },
      title,
      operator: meta.actor.roles.includes('operator'),
      ...(parent && { parent }),
    };
    return this.parts.execute(derivedId(meta.commandId, 'session'), { type: 'StartSession', data, meta });
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
    const known = approvalOf((await this.find(meta.actor, sessionId)).session, approvalId);
    if (known?.askedDigest !== callDigest) {
      const judged = this.judge(call);
      const data = { approvalId, tool, reason, toolInput, callDigest, judged };
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
    const { approvalId, allow, remember = false, feedback, modifiedInput } = decision;
    const modified =
      allow && modifiedInput !== undefined ? await this.modified(meta.actor, sessionId, approvalId, modifiedInput) : undefined;
    const handled = await this.parts.execute(sessionId, {
      type: 'ResolveApproval',
      data: {
        allow,
        remember,
        grantMs: this.parts.settings.grantMs,
        ...(approvalId !== undefined && { approvalId }),
        ...(feedback !== undefined && { feedback }),
        ...modified,
      },
      meta,
    });
    return decided(handled, allow && remember);
  }

  /** Trips the run's token for good, and denies every approval in flight. */
  cancel(meta: CommandMeta, sessionId: string, reason: string): Promise<Done> {
    return this.parts.execute(sessionId, { type: 'CancelSession', data: { reason }, meta });
  }

  revokeGrant(meta: CommandMeta, sessionId: string, grantId: string): Promise<Done> {
    return this.parts.execute(sessionId, { type: 'RevokeSessionGrant', data: { grantId }, meta });
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
  private judge({ tool, toolInput, tier = 0 }: Omit<AskedCall, 'reason'>): HeldCall['judged'] {
    const judged = (() => {
      try {
        return this.parts.judge({ tool, toolInput });
      } catch {
        return { tier: MOST_TIER, program: [], effects: ['unknown'], ungrantable: 'It could not be judged.' };
      }
    })();
    return { ...judged, tier: Math.max(judged.tier, tier) };
  }

  /** Judged for the approval that is meant now; where none waits, the decider takes the input for no approval that comes later. */
  private async modified(
    reader: Principal,
    sessionId: string,
    approvalId: string | undefined,
    toolInput: HeldCall['toolInput'],
  ): Promise<Pick<ResolveApproval['data'], 'approvalId' | 'modified'>> {
    const approval = meant((await this.find(reader, sessionId)).session, approvalId);
    if ('code' in approval || approval.status !== 'pending') return { modified: 'unjudged' };
    const { tool } = approval;
    const judged = this.judge({ tool, toolInput });
    return { approvalId: approval.approvalId, modified: { toolInput, callDigest: digestOf({ tool, toolInput }), judged } };
  }

  private async parent(runner: Principal, sessionId: string): Promise<NonNullable<StartSession['data']['parent']>> {
    const { session } = await this.find({ ...runner, id: runner.accountableHuman }, sessionId);
    return { sessionId, unattended: session.options.unattended, running: session.status === 'running' };
  }
}

/** `remembered` says whether a grant was stored, `why` why not where one was asked for. `resolution` is absent where it waits again. */
export type Decided = Readonly<{
  handled: Done;
  approvalId: string;
  resolution?: ApprovalResolved['data'];
  remembered: boolean;
  grant?: SessionGrantStored['data'];
  why?: string;
}>;

const decided = (handled: Done, asked: boolean): Decided => {
  let resolution: ApprovalResolved['data'] | undefined;
  let grant: SessionGrantStored['data'] | undefined;
  let approvalId = '';
  for (const { type, data } of handled.events) {
    if ('approvalId' in data) approvalId = data.approvalId;
    if (type === 'ApprovalResolved') resolution = data;
    if (type === 'SessionGrantStored') grant = data;
  }
  return {
    handled,
    approvalId,
    ...(resolution && { resolution }),
    remembered: grant !== undefined,
    ...(grant && { grant }),
    ...(asked &&
      !grant && {
        why: !resolution ? 'It waits for you again: what you wrote is judged worse.' : 'Calls like this one are decided every time.',
      }),
  };
};

const DEFAULTS: SessionOptions = { unattended: false, approvalTimeoutMs: null, amendmentPolicy: 'deny', escalationPolicy: 'deny' };
const MOST_TIER = 5;
const MOST_ATTEMPTS = 10;
/** Should the doorbell stand still: decisions are in the stream. */
const LOOK_AGAIN_MS = 3_000;

/** `perm_{milliseconds}_{random}`; the random part follows from the command, so that a retry gives the same. */
const approvalIdOf = ({ commandId, at }: CommandMeta): string =>
  `perm_${Date.parse(at)}_${(BigInt(`0x${sha256(`approval ${commandId}`)}`) % 36n ** 9n).toString(36).padStart(9, '0')}`;
