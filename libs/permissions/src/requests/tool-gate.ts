import { Inject, Injectable, Logger } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Drain, standAside } from '#libs/http';
import { DomainError, Doorbell, isTransient, type CommandMeta, type Handled } from '#libs/kernel';
import { Clock } from '#libs/postgres';
import { Feed } from '#libs/projections';
import { DenialLog } from '../denials/denial-log.js';
import { Enablements } from '../enablements/enablements.js';
import { PermissionSettings } from '../permission-settings.js';
import { ToolPolicy, type CallFacts, type Disposal } from '../policy/tool-policy.js';
import { GrantsInForce, type Coverage } from '../standing-grants/grants-in-force.js';
import type { Verdict } from '../verdict.js';
import { CALL_JUDGEMENT, judgedOf, type CallJudgement } from './call-judgement.js';
import { digestOfCall, type SeenFile, type ToolCall } from './call.js';
import { answerAtOnce, answerNo, answerOf, awaited, deniedByFault, type AwaitedAnswer, type GateAnswer } from './gate-answer.js';
import { HandlePermission } from './permission.handler.js';
import {
  inputOf,
  type Asked,
  type AskedPermission,
  type Judged,
  type Permission,
  type PermissionEvent,
  type Proof,
  type RequestKind,
} from './permission.js';
import { notFound } from './refusals.js';
import { PendingCalls } from './pending-calls.js';
import { permissionIdOf, requestIdOf } from './request-id.js';
import { Requests, type Found } from './requests.js';
import { boundTo, SeenFiles } from './seen-files.js';

/** What must be known of a call to dispose of it. */
type Weighed = Readonly<{ verdict: Verdict; judged: Judged; facts: CallFacts }>;

/** Where every tool call passes before it runs. Whatever fails here is a no: no call runs that was not let through. */
@Injectable()
export class ToolGate {
  private readonly logger = new Logger('ToolGate');

  constructor(
    private readonly commands: CommandBus,
    private readonly requests: Requests,
    private readonly denials: DenialLog,
    private readonly pending: PendingCalls,
    private readonly seen: SeenFiles,
    private readonly grants: GrantsInForce,
    private readonly enablements: Enablements,
    private readonly policy: ToolPolicy,
    private readonly settings: PermissionSettings,
    private readonly feed: Feed,
    private readonly clock: Clock,
    private readonly drain: Drain,
    @Inject(CALL_JUDGEMENT) private readonly judgement: CallJudgement,
  ) {}

  /** Lets the call through, queues it for its owner, or blocks it. The same command answers as it did the first time. */
  ask(meta: CommandMeta, asked: ToolCall, kind: RequestKind = 'hook'): Promise<GateAnswer> {
    return this.orDeny(async (note) => {
      const weighed = await this.weigh(meta, asked);
      note(weighed.judged);
      const { files } = weighed.judged;
      const call = { ...asked, ...(files && { files }) };
      const atOnce = this.policy.dispose(meta.actor, weighed.facts);
      if (atOnce.outcome === 'block') await this.denials.blocked(meta, call, weighed.judged, proofOf(atOnce));
      if (atOnce.outcome !== 'ask') return answerAtOnce(weighed.judged, atOnce, weighed.verdict.contract);
      return (await this.byGrants(meta, call, kind, weighed)) ?? (await this.queue(meta, call, kind, weighed.judged, proofOf(atOnce)));
    });
  }

  /** The same call again, with the request that was made for it: once its owner has approved, it is let through, once. */
  redeem(meta: CommandMeta, requestId: string, call: ToolCall): Promise<GateAnswer> {
    return this.orDeny(async (note) => {
      const found = await this.requests.find(meta, requestId, 'run');
      if (found.permission.agent.id !== meta.actor.id) throw new DomainError(notFound());
      note(found.permission.judged);
      // Whether what it runs has changed since is looked at apart from whether it is the same call.
      const { files } = found.permission.call;
      return this.letThrough(meta, found, digestOfCall({ ...call, ...(files && { files }) }));
    });
  }

  /** Waits at most `waitMs` until the request is decided; where it is approved, that lets its call through, once. For the agent that asked. */
  async await(meta: CommandMeta, requestId: string, waitMs: number, signal: AbortSignal): Promise<AwaitedAnswer> {
    const bell = new Doorbell();
    const leave = this.feed.subscribe(
      (items) => void (items.some(({ kind, data }) => kind === 'permission_closed' && data['requestId'] === requestId) && bell.ring()),
    );
    try {
      for (const until = performance.now() + waitMs; ;) {
        const seen = bell.count;
        const found = await this.requests.find(meta, requestId, 'run');
        if (found.permission.agent.id !== meta.actor.id) throw new DomainError(notFound());
        const left = until - performance.now();
        if (found.permission.status !== 'pending' || left <= 0 || signal.aborted || this.drain.stopping) {
          // Nobody hears the answer any more: what was approved meanwhile stays for who asks again.
          if (signal.aborted) return awaited(found, answerOf(found.permission, found.policies));
          const answer = await this.orDeny(() => this.letThrough({ ...meta, at: this.clock.now() }, found));
          return awaited({ ...found, permission: (await this.requests.find(meta, requestId, 'run')).permission }, answer);
        }
        await standAside(() => bell.wait(seen, Math.min(left, LOOK_AGAIN_MS), signal));
      }
    } finally {
      leave();
    }
  }

  /** Takes a request back, for the agent that asked. What was let through, or decided against, stays. */
  async cancel(meta: CommandMeta, requestId: string, reason: string): Promise<Handled<Permission, PermissionEvent>> {
    const { permissionId } = await this.requests.find(meta, requestId, 'take back');
    return this.commands.execute(new HandlePermission(permissionId, { type: 'CancelPermission', data: { reason }, meta }));
  }

  /** What the table and the owner's enablements say of a call. Throws what the table throws. */
  async weigh({ workspaceId, actor, at }: CommandMeta, call: ToolCall): Promise<Weighed> {
    const verdict = this.judgement.judge(call);
    const enabled = await this.enablements.enabled(workspaceId, actor.accountableHuman, verdict.effects, at);
    const { tier, ladder, effects } = verdict;
    // Only where a person may be asked: what only reads runs nothing, and what is blocked is not looked into.
    const asks = verdict.refused !== true && (tier === 'dangerous' || enabled.length > 0);
    const offered = verdict.grantable ? this.judgement.offer(call, verdict) : [];
    const judged = withFiles(judgedOf(verdict, offered), asks ? await this.seen.of(call, verdict) : undefined);
    return { verdict, judged, facts: { toolName: call.toolName, tier, ladder, effects, enabled, unshowable: verdict.refused === true } };
  }

  /**
   * Notes, under this id, a use of the owner's standing grants that cover a call which another control plane holds back; undefined where
   * none do, and nothing is asked of anybody.
   */
  async useGrants(meta: CommandMeta, call: ToolCall, requestId: string): Promise<Coverage | undefined> {
    return this.use(meta, call, requestId, await this.weigh(meta, call));
  }

  private async use(
    meta: CommandMeta,
    call: ToolCall,
    requestId: string,
    { verdict, judged, facts }: Weighed,
  ): Promise<(Coverage & Readonly<{ proof: Proof }>) | undefined> {
    if (!verdict.grantable || judged.files) return undefined;
    const coverage = await this.grants.find(meta, call, verdict);
    if (!coverage) return undefined;
    const disposal = this.policy.dispose(meta.actor, { ...facts, granted: true });
    if (disposal.outcome !== 'run' || !(await this.grants.use(meta, coverage, requestId, call))) return undefined;
    return { ...coverage, proof: proofOf(disposal) };
  }

  private async byGrants(
    meta: CommandMeta,
    call: ToolCall,
    kind: RequestKind,
    { verdict, judged, facts }: Weighed,
  ): Promise<GateAnswer | undefined> {
    const asked = this.asked(meta, call, kind, judged);
    const used = await this.use(meta, call, asked.requestId, { verdict, judged, facts });
    if (!used) return undefined;
    const { grants, owner, proof } = used;
    const data = { asked, grants, proof, owner };
    const answer = await this.send(meta, { type: 'ApproveByGrant', data, meta });
    return answer.allow ? { ...answer, grants } : answer;
  }

  private async queue(meta: CommandMeta, call: ToolCall, kind: RequestKind, judged: Judged, proof: Proof): Promise<GateAnswer> {
    const asked = this.asked(meta, call, kind, judged);
    const ms = this.settings.requestMs;
    const { tenantId, at, actor } = meta;
    const permissionId = permissionIdOf(tenantId, asked.requestId)!;
    const { owner: ownerId, callDigest } = asked;
    const waiting = await this.pending.place({ permissionId, tenantId, ownerId, principalId: actor.id, callDigest, at, ms });
    if (waiting) return answerOf(waiting, proof.policies);
    const data = { asked, proof, ms };
    return this.send(meta, { type: 'RequestPermission', data, meta });
  }

  /** Answers by what the stream holds, which for a repeated command is what it held then. */
  private async send(
    meta: CommandMeta,
    command: HandlePermission['command'] & { data: { asked: Asked; proof: Proof } },
  ): Promise<GateAnswer> {
    const permissionId = permissionIdOf(meta.tenantId, command.data.asked.requestId)!;
    const { state } = await this.commands.execute(new HandlePermission(permissionId, command));
    if (state.status === 'none') throw new Error('A request left nothing.');
    return answerOf(state, command.data.proof.policies);
  }

  /** `callDigest` is that of the call that the agent holds; without it, it takes the call from the answer. */
  private async letThrough(meta: CommandMeta, found: Found, callDigest?: string): Promise<GateAnswer> {
    const { permissionId, permission } = found;
    const call = { ...permission.call, toolInput: inputOf(permission) };
    const { judged, facts } = await this.weigh({ ...meta, workspaceId: found.workspaceId }, call);
    const disposal = this.policy.dispose(meta.actor, { ...facts, approved: true });
    if (disposal.outcome === 'block') await this.denials.blocked(meta, call, judged, proofOf(disposal));
    const data = {
      ...(callDigest !== undefined && { callDigest }),
      present: judged,
      blocked: disposal.outcome !== 'run',
      proof: proofOf(disposal),
    };
    try {
      const { state } = await this.commands.execute(new HandlePermission(permissionId, { type: 'RedeemPermission', data, meta }));
      return answerOf(state as AskedPermission, disposal.policies);
    } catch (error) {
      if (!(error instanceof DomainError) || !TOLD.has(error.refusal.code)) throw error;
      return answerNo((await this.requests.find(meta, permission.requestId, 'run')).permission, found.policies, error.refusal);
    }
  }

  private asked({ actor, commandId, at }: CommandMeta, call: ToolCall, kind: RequestKind, judged: Judged): Asked {
    const requestId = requestIdOf(kind, commandId, at);
    const agent = { id: actor.id, name: actor.name };
    return { requestId, kind, owner: actor.accountableHuman, agent, call, callDigest: digestOfCall(call), judged };
  }

  /** Faults of ours, outages and what takes too long end in a no. Refusals that the caller can act on are thrown. */
  private async orDeny(work: (note: (judged: Judged) => void) => Promise<GateAnswer>): Promise<GateAnswer> {
    let judged: Judged | undefined;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`No answer within ${ANSWER_MS} ms.`)), ANSWER_MS);
    });
    try {
      return await Promise.race([work((known) => (judged = known)), late]);
    } catch (error) {
      if (!isTransient(error) || isTooMany(error)) throw error;
      this.logger.error(error instanceof Error ? error : new Error(String(error)));
      return deniedByFault(judged);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Refusals that are an answer to the agent, not a fault of its request. */
const TOLD = new Set(
  ['pending', 'rejected', 'consumed', 'cancelled', 'expired', 'other-input', 'judged-worse', 'file-changed'].map(
    (name) => `permission/${name}`,
  ),
);
const isTooMany = (error: unknown): boolean => error instanceof DomainError && error.refusal.kind === 'too_many';
const ANSWER_MS = 10_000;
/** Should the feed stand still: decisions are in the stream. */
const LOOK_AGAIN_MS = 3_000;

/** A person is told what of the code was seen; calls that run a file are approved one by one, since it may change. */
const withFiles = (judged: Judged, files: readonly SeenFile[] | undefined): Judged => {
  if (!files) return judged;
  const reason = `${judged.reason} ${boundTo(files)}`;
  if (files.length === 0) return { ...judged, reason };
  const ungrantable = judged.ungrantable ?? 'What it runs can change before it runs again.';
  return { ...judged, reason, files, grantable: false, ungrantable, proposedGrants: [] };
};

const proofOf = ({ policies, policyVersion }: Disposal): Proof => ({ policies, policyVersion });
