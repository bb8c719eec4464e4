import type { Recorded } from '#libs/kernel';
import type { StandingGrants } from '../grants/standing-grants.js';
import type { Party, SessionEvent, SessionOptions } from '../session-events.js';

/** Ida runs, Ian is accountable for her; Ann approves others' proposals and Otto operates. */
export type Who = 'ida' | 'ian' | 'ann' | 'otto' | 'eve';
export type Call = Readonly<{ approvalId?: string; tool?: string; command?: string; tier?: number; waitMs?: number }>;
export type Decision = Readonly<{
  approvalId?: string;
  allow: boolean;
  remember?: boolean;
  scope?: 'session' | 'conversation';
  presentedDigest?: string;
  feedback?: string;
  modifiedInput?: Record<string, unknown>;
}>;
/** What was answered, or the code of the refusal. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the answers of two ways in
export type Told = Record<string, any>;

export type Beginning = Readonly<{ by?: Who; parentSessionId?: string; conversationId?: string; agentId?: string; cwd?: string }>;

/** Standing approvals as another context would keep them: of Ian, for one agent of his in one place, for one command. */
export const standing = (owner: () => Party): StandingGrants => {
  let uses = 0;
  return async (_, { tool, toolInput, agentId, cwd }) => {
    if (toolInput['command'] === 'npm run broken') throw new Error('The other context is out of order.');
    const covers = tool === 'bash' && toolInput['command'] === 'npm run granted' && agentId === 'agent_123' && cwd === '/srv/site';
    return Promise.resolve(covers && uses++ < 2 ? { grants: [GRANT], by: owner() } : undefined);
  };
};
const GRANT = '0192f0c1-0000-7000-8000-0000000000aa';

/** One way in to the control plane. Refusals come as `{code}` and their facts. */
export type Plane = Readonly<{
  start(options?: Partial<SessionOptions>, over?: Beginning): Promise<Told>;
  request(sessionId: string, call: Call, who?: Who): Promise<Told>;
  resolve(sessionId: string, decision: Decision, who?: Who): Promise<Told>;
  cancel(sessionId: string, reason: string, who?: Who): Promise<Told>;
  read(sessionId: string, who?: Who): Promise<Told>;
  preview(sessionId: string, approvalId: string, who?: Who): Promise<Told>;
  grants(sessionId: string): Promise<readonly Told[]>;
  revoke(sessionId: string, grantId: string, who?: Who): Promise<Told>;
  events(sessionId: string): Promise<readonly Recorded<SessionEvent>[]>;
  /** All that a process remembers is gone; what follows runs elsewhere. */
  restart(): Promise<void>;
}>;

/** Longer than any answer takes, in milliseconds. */
export const LONG = 20_000;
