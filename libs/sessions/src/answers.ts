import { Flag, Id, JsonObject, ListOf, Nested, OneOf, Sha256, Text, Time, Whole } from '#libs/http';
import { sessionStatuses } from './session.js';

// What the routes answer, for the API's documentation; a spec holds real answers against it.
const VIAS = ['human', 'grant', 'auto', 'policy'];
const CAUSES = ['decision', 'grant', 'unattended', 'timeout', 'cancelled', 'policy'];
const POLICIES = ['deny', 'approve'];
const word = { max: 1_000, item: { max: 8_192 } };

export class PartyAnswer {
  @Id() id!: string;
  @Text({ max: 200 }) name!: string;
}

class OptionsAnswer {
  @Flag() unattended!: boolean;
  @Whole({ min: 1, max: Number.MAX_SAFE_INTEGER, nullable: true }) approvalTimeoutMs!: number | null;
  @OneOf(POLICIES) amendmentPolicy!: string;
  @OneOf(POLICIES) escalationPolicy!: string;
}

class CoverAnswer {
  @Text({ max: 200 }) tool!: string;
  @ListOf('text', word) program!: string[];
  @Whole({ min: 0, max: 5 }) tier!: number;
  @ListOf('text', word) effects!: string[];
}

class PendingAnswer {
  @Text({ max: 100 }) approvalId!: string;
  @Text({ max: 200 }) tool!: string;
  @Text({ min: 0, max: 2_000 }) reason!: string;
  @JsonObject({ maxBytes: 262_144 }) toolInput!: Record<string, unknown>;
  @Whole({ min: 0, max: 5 }) tier!: number;
  @Time() requestedAt!: string;
  @Time({ nullable: true, description: 'Then it is denied; null waits.' }) timeoutAt!: string | null;
  @Flag({ description: 'Its owner wrote another input, which is judged worse than the one they were shown.' }) amended!: boolean;
  @Sha256({ description: 'Of all that is shown here to decide on. Name it in the decision.' }) presentedDigest!: string;
  @Nested(() => CoverAnswer, { nullable: true, description: 'What "always" would cover.' }) proposedGrant!: CoverAnswer | null;
  @Text({ max: 500, optional: true, description: 'Why it is decided every time.' }) ungrantable?: string;
}

class CancelledAnswer {
  @Nested(() => PartyAnswer) by!: PartyAnswer;
  @Time() at!: string;
  @Text({ min: 0, max: 2_000 }) reason!: string;
}

export class SessionAnswer {
  @Id() sessionId!: string;
  @OneOf(sessionStatuses) status!: string;
  @Text({ min: 0, max: 200 }) title!: string;
  @Id({ description: 'The human who is accountable for the run, and alone decides in it.' }) owner!: string;
  @Nested(() => PartyAnswer) runner!: PartyAnswer;
  @Nested(() => PartyAnswer) startedBy!: PartyAnswer;
  @Nested(() => OptionsAnswer) options!: OptionsAnswer;
  @Time() startedAt!: string;
  @Id({ optional: true }) parentSessionId?: string;
  @Text({ max: 100, optional: true }) conversationId?: string;
  @Text({ max: 200, optional: true }) agentId?: string;
  @Text({ max: 4_096, optional: true }) cwd?: string;
  @Nested(() => CancelledAnswer, { optional: true }) cancelled?: CancelledAnswer;
  @ListOf(() => PendingAnswer, { max: 100_000 }) pending!: PendingAnswer[];
}

class PastCallAnswer {
  @Id() sessionId!: string;
  @Text({ max: 100 }) approvalId!: string;
  @Text({ max: 200 }) tool!: string;
  @JsonObject({ maxBytes: 262_144 }) toolInput!: Record<string, unknown>;
  @Time() at!: string;
  @Flag({ description: 'By its owner.' }) denied!: boolean;
}

export class SessionGrantPreviewAnswer {
  @Text({ max: 100 }) approvalId!: string;
  @Nested(() => CoverAnswer, { nullable: true }) proposedGrant!: CoverAnswer | null;
  @Text({ max: 500, optional: true, description: 'Why it is decided every time.' }) ungrantable?: string;
  @Whole({ min: 1, max: 365 }) days!: number;
  @Whole({ min: 0, max: 1_000_000, description: 'Calls of this agent that were asked about in these days.' }) calls!: number;
  @Whole({ min: 0, max: 1_000_000 }) covered!: number;
  @Whole({ min: 0, max: 1_000_000, description: 'Of the covered ones, those that you denied.' }) denied!: number;
  @ListOf(() => PastCallAnswer, { max: 20 }) coveredCalls!: PastCallAnswer[];
  @ListOf(() => PastCallAnswer, { max: 20 }) deniedCalls!: PastCallAnswer[];
}

export class ApprovalAnswer {
  @Text({ max: 100 }) approvalId!: string;
  @OneOf(['pending', 'resolved']) status!: string;
  @Flag({ description: 'The call runs only where this is true.' }) allow!: boolean;
  @OneOf(VIAS, { optional: true }) via?: string;
  @OneOf(CAUSES, { optional: true, description: 'A timeout is no human’s no.' }) cause?: string;
  @Nested(() => PartyAnswer, { optional: true, nullable: true }) by?: PartyAnswer | null;
  @Time({ optional: true }) at?: string;
  @Time({ optional: true, nullable: true }) timeoutAt?: string | null;
  @Text({ min: 0, max: 16_384, optional: true, description: 'The owner’s, as it is.' }) feedback?: string;
  @JsonObject({ maxBytes: 262_144, optional: true, description: 'What may run instead of what was asked.' })
  toolInput?: Record<string, unknown>;
  @Id({ optional: true }) grantId?: string;
  @ListOf('id', { max: 256, optional: true, description: 'Grants that cover it together.' }) grants?: string[];
  @OneOf(['session', 'conversation', 'standing'], { optional: true }) grantScope?: string;
}

export class GrantAnswer extends CoverAnswer {
  @Id() grantId!: string;
  @OneOf(['session', 'conversation'], { description: 'For this session, or all of its conversation.' }) scope!: string;
  @Nested(() => PartyAnswer) by!: PartyAnswer;
  @Text({ max: 100, description: 'The approval that it was stored with.' }) approvalId!: string;
  @Time() at!: string;
  @Time() expiresAt!: string;
  @Time({ optional: true }) revokedAt?: string;
}

export class ResolvedAnswer extends ApprovalAnswer {
  @Flag({ description: 'Whether a grant was stored.' }) remembered!: boolean;
  @Nested(() => GrantAnswer, { optional: true }) grant?: GrantAnswer;
  @Text({ max: 500, optional: true, description: 'Why it was not remembered.' }) notRemembered?: string;
}

export class SessionGrantsAnswer {
  @ListOf(() => GrantAnswer, { max: 100_000 }) items!: GrantAnswer[];
}

export class CancelAnswer {
  @OneOf(sessionStatuses) status!: string;
  @ListOf('text', { max: 100_000, item: { max: 100 }, description: 'Approvals that were in flight.' }) denied!: string[];
}
