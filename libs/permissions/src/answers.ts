import { CommandAnswer, Digits, Flag, Id, JsonObject, ListOf, Nested, oneOf, OneOf, Sha256, Text, Time, Whole } from '#libs/http';
import { destructiveEffects } from './enablements/enablement.js';
import { EFFECTS, TIERS } from './effects.js';
import { decisionNames } from './requests/entry.js';
import { grantStatuses } from './standing-grants/grant.js';

// What the routes answer, for the API's documentation; a spec holds real answers against it.
const long = { max: 65_536, min: 0 };
const ladder = { min: 0, max: 5, description: '0 read, 1 write, 2 unknown, 3 financial, 4 destructive, 5 bulk.' };
const MILLISECONDS = { min: 0, max: 9_007_199_254_740_991 };
const VIA = ['human', 'grant', 'policy'];
const words = { max: 100, item: { max: 4_096, min: 0 } };

export class CallSpanAnswer {
  @Whole({ min: 0, max: 262_144 }) start!: number;
  @Whole({ min: 0, max: 262_144 }) end!: number;
}

export class CallSegmentAnswer {
  @Text(long) text!: string;
  @Nested(() => CallSpanAnswer) span!: CallSpanAnswer;
  @ListOf('text', words) prefix!: string[];
  @OneOf(TIERS) tier!: string;
  @Whole(ladder) ladder!: number;
  @ListOf(oneOf(EFFECTS), { max: 100 }) effects!: string[];
  @Text(long) reason!: string;
  @Nested(() => CallSpanAnswer) reasonSpan!: CallSpanAnswer;
  @Text({ ...long, optional: true, description: 'Why it can be allowed once only.' }) ungrantable?: string;
}

export class GrantScopeAnswer {
  @Text({ max: 200 }) tool!: string;
  @ListOf('text', words) prefix!: string[];
  @OneOf(TIERS) tier!: string;
  @ListOf(oneOf(EFFECTS), { max: 100 }) effects!: string[];
  @JsonObject({ description: 'What else a call has to keep to: hosts, methods, images, packages, paths, or the exact words.' })
  constraints!: object;
}

class JudgedCallAnswer {
  @OneOf(TIERS) tier!: string;
  @Text(long) reason!: string;
  @Whole(ladder) ladder!: number;
  @Nested(() => CallSpanAnswer) span!: CallSpanAnswer;
  @ListOf(oneOf(EFFECTS), { max: 100 }) effects!: string[];
  @ListOf(() => CallSegmentAnswer, { max: 1_000 }) segments!: CallSegmentAnswer[];
  @Flag() grantable!: boolean;
  @ListOf('text', { max: 100, item: { max: 200 }, description: 'Ids of the policies that determined this.' }) policies!: string[];
  @ListOf(() => GrantScopeAnswer, { max: 256, optional: true, description: 'What `approve_always` would make.' })
  proposedGrant?: GrantScopeAnswer[];
  @Text({ max: 16_384, min: 0, optional: true, description: 'Of the owner, as it was written.' }) feedback?: string;
}

export class ClassifiedCallAnswer extends JudgedCallAnswer {
  @Flag({ description: 'Run the call only where this is true.' }) allow!: boolean;
  @Text({ max: 100, optional: true }) requestId?: string;
  @Whole({ ...MILLISECONDS, optional: true, description: 'Milliseconds.' }) expiresAt?: number;
  @OneOf(VIA, { optional: true }) via?: string;
  @ListOf('id', { max: 256, optional: true, description: 'Grants that let it through.' }) grants?: string[];
  @Text({ max: 100, optional: true, description: 'Why it may not run, as a code.' }) code?: string;
  @JsonObject({ optional: true, description: 'What may run instead of the input that was sent.' }) toolInput?: object;
  @JsonObject({ optional: true, description: 'How it has to be run.' }) contract?: object;
}

class AskingAgentAnswer {
  @Id() id!: string;
  @Text({ max: 100 }) name!: string;
}

class SeenFileAnswer {
  @Text({ max: 4_096 }) path!: string;
  @Sha256() sha256!: string;
}

export class PermissionEntryAnswer extends JudgedCallAnswer {
  @Text({ max: 100 }) id!: string;
  @Text({ max: 200 }) agentId!: string;
  @Id() userId!: string;
  @Text({ max: 200 }) toolName!: string;
  @JsonObject() toolInput!: object;
  @Whole({ ...MILLISECONDS, description: 'Milliseconds.' }) timestamp!: number;
  @OneOf(['pending', 'approved', 'rejected', 'expired', 'cancelled']) status!: string;
  @Nested(() => AskingAgentAnswer) agent!: AskingAgentAnswer;
  @Id({ description: 'Where the agent asked.' }) workspaceId!: string;
  @Text({ max: 262_144, min: 0 }) command!: string;
  @Text({ max: 2_097_152, min: 0, description: 'The command with hidden characters made visible.' }) displayCommand!: string;
  @Text({ max: 200, optional: true }) sessionId?: string;
  @Text({ max: 4_096, optional: true }) cwd?: string;
  @JsonObject({ optional: true, description: 'What the agent asked for, where its owner wrote another input.' }) originalInput?: object;
  @Text({ ...long, optional: true }) ungrantable?: string;
  @Whole({ ...MILLISECONDS, description: 'Milliseconds.' }) expiresAt!: number;
  @Flag({ optional: true, description: 'The approved call was let through.' }) consumed?: boolean;
  @ListOf(() => SeenFileAnswer, { max: 16, optional: true, description: 'Files that it runs: approved as they were seen.' })
  files?: SeenFileAnswer[];
  @ListOf(oneOf(decisionNames), { max: 3 }) actions!: string[];
  @Sha256({ description: 'Of all that is shown here to decide on. Name it in the decision.' }) presentedDigest!: string;
}

export class PendingPermissionsAnswer {
  @ListOf(() => PermissionEntryAnswer, { max: 500 }) pending!: PermissionEntryAnswer[];
}

export class PermissionAnswer extends PermissionEntryAnswer {
  @Flag({ optional: true, description: 'For the agent that waited: run it only where this is true.' }) allow?: boolean;
  @Text({ max: 100, optional: true }) requestId?: string;
  @OneOf(VIA, { optional: true }) via?: string;
  @Text({ max: 100, optional: true }) code?: string;
}

export class PermissionCancelledAnswer extends CommandAnswer {
  @Text({ max: 100 }) requestId!: string;
  @OneOf(['cancelled']) status!: string;
}

export class PermissionDecidedAnswer {
  @Flag() success!: boolean;
  @Text({ max: 100 }) requestId!: string;
  @OneOf(decisionNames) decision!: string;
  @OneOf(TIERS) tier!: string;
  @Text(long) reason!: string;
  @Flag({ description: 'Whether standing approvals were made.' }) remembered!: boolean;
  @ListOf('id', { max: 256 }) grants!: string[];
  @Digits() position!: string;
}

class GrantHolderAnswer {
  @Id() principalId!: string;
  @Text({ max: 200 }) agentId!: string;
  @Text({ max: 4_096, optional: true, description: 'Only calls from there.' }) workspace?: string;
  @Text({ max: 200, optional: true }) sessionId?: string;
}

export class GrantItem extends GrantScopeAnswer {
  @Id() id!: string;
  @OneOf(grantStatuses) status!: string;
  @Nested(() => GrantHolderAnswer) agent!: GrantHolderAnswer;
  @Text({ max: 100, description: 'The request that it comes from.' }) from!: string;
  @Time() createdAt!: string;
  @Time() expiresAt!: string;
  @Whole({ min: 0, max: 1_000_000 }) uses!: number;
  @Whole({ min: 1, max: 1_000_000 }) maxUses!: number;
  @Time({ nullable: true }) lastUsedAt!: string | null;
  @Time({ nullable: true }) endedAt!: string | null;
}

export class GrantRevokedAnswer extends CommandAnswer {
  @OneOf(['revoked']) status!: string;
}

export class PreviewAnswer {
  @Text({ max: 100 }) requestId!: string;
  @Flag() grantable!: boolean;
  @Text({ ...long, optional: true }) ungrantable?: string;
  @ListOf(() => GrantScopeAnswer, { max: 256 }) scopes!: GrantScopeAnswer[];
  @Whole({ min: 1, max: 365 }) days!: number;
  @Whole({ min: 0, max: 2_000, description: 'Calls of this agent in these days, at most 2000 of them.' }) calls!: number;
  @Whole({ min: 0, max: 2_000 }) covered!: number;
  @Whole({ min: 0, max: 2_000, description: 'Of the covered ones, those that you rejected.' }) denied!: number;
  @ListOf(() => PermissionEntryAnswer, { max: 20 }) coveredCalls!: PermissionEntryAnswer[];
  @ListOf(() => PermissionEntryAnswer, { max: 20 }) deniedCalls!: PermissionEntryAnswer[];
}

export class EnablementItem {
  @OneOf(destructiveEffects) effect!: string;
  @Flag() enabled!: boolean;
  @Time({ nullable: true }) expiresAt!: string | null;
}

export class EnablementAnswer extends CommandAnswer {
  @OneOf(destructiveEffects) effect!: string;
  @Flag() enabled!: boolean;
  @Time({ nullable: true }) expiresAt!: string | null;
}

export class EnablementsAnswer {
  @ListOf(() => EnablementItem, { max: 7 }) enablements!: EnablementItem[];
}

export class PolicyText {
  @Text({ max: 200 }) id!: string;
  @Text(long) text!: string;
}

export class PoliciesInForce {
  @Text({ max: 16 }) version!: string;
  @ListOf(() => PolicyText, { max: 1_000 }) policies!: PolicyText[];
}

export class PolicyAnswer {
  @Nested(() => PoliciesInForce, { description: 'Who may send which command or open which route.' }) commands!: PoliciesInForce;
  @Nested(() => PoliciesInForce, { description: 'Which tool calls run, and which a person is asked for.' }) tools!: PoliciesInForce;
}

export class LadderRung {
  @Whole(ladder) level!: number;
  @Text({ max: 20 }) name!: string;
  @Flag({ description: 'Whether a person decides, whatever the tier.' }) human!: boolean;
}

export class LadderEffect {
  @OneOf(EFFECTS) effect!: string;
  @OneOf(TIERS) tier!: string;
  @Whole(ladder) level!: number;
  @Flag({ description: 'Blocked until its owner enables it.' }) enablement!: boolean;
}

export class LadderAnswer {
  @ListOf(() => LadderRung, { max: 6 }) levels!: LadderRung[];
  @ListOf(() => LadderEffect, { max: 100 }) effects!: LadderEffect[];
}

export class TicketAnswer {
  @Text({ max: 100, description: 'Good for one socket: the subprotocol `workbench.ticket.<ticket>`.' }) ticket!: string;
  @Time() expiresAt!: string;
}
