import type { Principal } from '#libs/kernel';
import type { HeldCall, SessionOptions } from './session-events.js';

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
  /** What is remembered is for this session, or for all tasks of its conversation. */
  scope?: 'session' | 'conversation';
  feedback?: string;
  modifiedInput?: HeldCall['toolInput'];
  /** Of what the owner was shown: a decision on anything else is refused. */
  presentedDigest?: string;
}>;
export type Begin = Readonly<{
  runner: Principal;
  title?: string;
  options?: Partial<SessionOptions>;
  parentSessionId?: string;
  conversationId?: string;
  agentId?: string;
  cwd?: string;
}>;
