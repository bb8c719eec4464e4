import { digestOf, handleCommand, newId, type CommandMeta, type EventStore, type Principal } from '#libs/kernel';
import { judgeByWords, type JudgeCall } from './approvals/judged-call.js';
import { conversationDecider } from './conversations/conversation.js';
import type { GrantPreview } from './grants/grant-preview.js';
import type { StandingGrants } from './grants/standing-grants.js';
import { sessionDecider } from './session.decider.js';
import type { Approval, KnownSession } from './session.js';
import type { Decided, ListedGrant } from './approvals/decided.js';
import { SessionControl } from './session-control.js';
import type { AskedCall, Begin, OwnerDecision, Waiting } from './wishes.js';
import { SessionSettings } from './session-settings.js';

/** `now` is RFC 3339 UTC with milliseconds. */
export type SessionHost = Readonly<{
  store: EventStore;
  now?: () => string;
  judge?: JudgeCall;
  settings?: SessionSettings;
  standing?: StandingGrants;
}>;

/**
 * The control plane of one session for a runner in the same process: the rules, the stream and the answers of the API, without HTTP.
 * Opened again over the same store, after a restart or elsewhere, it is the same session.
 */
export class Session {
  private readonly control: SessionControl;

  private constructor(
    readonly sessionId: string,
    private readonly workspaceId: string,
    private readonly host: WholeHost,
  ) {
    this.control = controlOf(host);
  }

  /** `by` is the runner itself, the human accountable for it, or an operator. */
  static async start(host: SessionHost, workspaceId: string, begin: Begin, by: Principal = begin.runner): Promise<Session> {
    const whole = complete(host);
    const { id } = await controlOf(whole).start(metaOf(whole, by, workspaceId, { ...begin, runner: begin.runner.id }), begin);
    return new Session(id, workspaceId, whole);
  }

  static open(host: SessionHost, workspaceId: string, sessionId: string): Session {
    return new Session(sessionId, workspaceId, complete(host));
  }

  /** Waits for the decision, for ever unless told otherwise. The call may run where it is resolved and its resolution says `allow`. */
  requestApproval(runner: Principal, call: AskedCall, { waitMs = Infinity, signal = NEVER }: Partial<Waiting> = {}): Promise<Approval> {
    return this.control.request(this.meta(runner, call), this.sessionId, call, { waitMs, signal });
  }

  /** Whether the call was allowed; a call whose decision did not come is not. */
  async isAllowed(runner: Principal, call: AskedCall, waiting: Partial<Waiting> = {}): Promise<boolean> {
    const approval = await this.requestApproval(runner, call, waiting);
    return approval.status === 'resolved' && approval.resolution.allow;
  }

  resolveApproval(owner: Principal, decision: OwnerDecision): Promise<Decided> {
    return this.control.resolve(this.meta(owner, decision), this.sessionId, decision);
  }

  async cancel(by: Principal, reason = 'cancelled'): Promise<void> {
    await this.control.cancel(this.meta(by, { reason }), this.sessionId, reason);
  }

  async revokeGrant(owner: Principal, grantId: string): Promise<void> {
    await this.control.revokeGrant(this.meta(owner, { grantId }), this.sessionId, grantId);
  }

  /** As it stands: `status` is the token that the run looks at before each turn. */
  async read(reader: Principal): Promise<KnownSession> {
    return (await this.control.find(reader, this.sessionId)).session;
  }

  /** What "always" would cover, and would have covered in this session. */
  preview(owner: Principal, approvalId: string): Promise<GrantPreview> {
    return this.control.preview(owner, this.sessionId, approvalId);
  }

  /** Its own, and those of its conversation. */
  grants(reader: Principal): Promise<readonly ListedGrant[]> {
    return this.control.grants(reader, this.sessionId);
  }

  private meta(actor: Principal, wish: object): CommandMeta {
    return metaOf(this.host, actor, this.workspaceId, wish);
  }
}

type WholeHost = Required<Omit<SessionHost, 'standing'>> & Pick<SessionHost, 'standing'>;

const NEVER = new AbortController().signal;

const complete = ({
  store,
  now = () => new Date().toISOString(),
  judge = judgeByWords,
  settings = new SessionSettings(),
  standing,
}: SessionHost): WholeHost => ({
  store,
  now,
  judge,
  settings,
  ...(standing && { standing }),
});

const controlOf = ({ store, now, judge, settings, standing }: WholeHost): SessionControl =>
  new SessionControl({
    store,
    now,
    judge,
    settings,
    execute: (id, command) => handleCommand(store, sessionDecider, id, command),
    converse: (id, command) => handleCommand(store, conversationDecider, id, command),
    standing,
    stopping: () => false,
    listen: (_, ring) => {
      const stop = new AbortController();
      void ringAtChanges(store, ring, stop.signal);
      return () => stop.abort();
    },
  });

/** A store that cannot tell of changes is looked at again by whoever waits. */
const ringAtChanges = async (store: EventStore, ring: () => void, signal: AbortSignal): Promise<void> => {
  try {
    for await (const _ of store.changes(signal)) ring();
  } catch {
    ring();
  }
};

const metaOf = ({ now }: WholeHost, actor: Principal, workspaceId: string, wish: object): CommandMeta => {
  const commandId = newId();
  return {
    tenantId: actor.tenantId,
    workspaceId,
    actor,
    at: now(),
    commandId,
    requestDigest: digestOf(wish),
    correlationId: commandId,
    causationId: commandId,
  };
};
