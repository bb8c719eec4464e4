import { ApiProperty } from '@nestjs/swagger';
import { CommandAnswer, Digits, Flag, Id, ListOf, Nested, OneOf, Ruled, Sha256, Text, Time, Whole } from '#libs/http';
import { ArtifactDto, ChangedPathDto, EvidenceDto, FindingDto } from './reports/fields.js';
import { taskStatuses, type TaskStatus } from './task.js';

// What the routes answer, for the API's documentation; a spec holds real answers against it.
const KINDS = ['implementation', 'verification'];
const PROVENANCES = ['self_reported', 'server_rerun', 'third_party_ci', 'human'];
const VERDICTS = ['verified', 'rejected', 'unverifiable'];
const path = { max: 4_096 };

export class HolderAnswer {
  @Id() id!: string;
  @Text({ max: 100, optional: true }) name?: string;
}

export class ScopeAnswer {
  @Text({ max: 2_000 }) repository!: string;
  @Text({ max: 64 }) baseRevision!: string;
  @ListOf('text', { max: 1_000, item: path }) paths!: string[];
  @ListOf('text', { max: 1_000, item: path }) commands!: string[];
  @ListOf('argv', { max: 1_000, item: path }) checks!: string[][];
  @ListOf('text', { max: 1_000, item: path }) criteria!: string[];
}

class EvidenceAnswer extends EvidenceDto {
  @OneOf(PROVENANCES, { description: 'Set by the server.' }) provenance!: string;
}

class ReportAnswer {
  @Sha256() reportDigest!: string;
  @Digits() fence!: string;
  @Nested(() => HolderAnswer) by!: HolderAnswer;
  @Time() at!: string;
  @Text({ max: 64 }) revision!: string;
  @ListOf(() => ArtifactDto, { max: 500 }) artifacts!: ArtifactDto[];
  @ListOf(() => ChangedPathDto, { max: 2_000 }) changedPaths!: ChangedPathDto[];
  @ListOf(() => EvidenceAnswer, { max: 200 }) evidence!: EvidenceAnswer[];
  @Text({ max: 10_000 }) summary!: string;
}

class VerdictAnswer {
  @OneOf(VERDICTS) verdict!: string;
  @Sha256() reportDigest!: string;
  @Digits() fence!: string;
  @Nested(() => HolderAnswer) by!: HolderAnswer;
  @Time() at!: string;
  @ListOf(() => FindingDto, { max: 500 }) findings!: FindingDto[];
  @ListOf(() => EvidenceAnswer, { max: 200 }) evidence!: EvidenceAnswer[];
  @ListOf(() => ChangedPathDto, { max: 2_000 }) changedPaths!: ChangedPathDto[];
  @Text({ max: 64 }) tree!: string;
  @Flag({ optional: true, description: 'On an older report than the present one.' }) stale?: boolean;
}

class ShipmentAnswer {
  @Text({ max: 64 }) revision!: string;
  @Text({ max: 64 }) tree!: string;
  @Text({ max: 2_000, optional: true }) url?: string;
  @Id() by!: string;
  @Time() at!: string;
}

class AnsweredQuestion {
  @Text({ max: 4_000 }) question!: string;
  @Text({ max: 4_000 }) answer!: string;
  @Id() by!: string;
  @Time() at!: string;
}

export class TaskItem {
  @Id() taskId!: string;
  @Id() proposalId!: string;
  @Id() auditId!: string;
  @Text({ max: 1_000 }) title!: string;
  @Text({ max: 100 }) queue!: string;
  @OneOf(taskStatuses) status!: TaskStatus;
  @Id() requester!: string;
  @Sha256() scopeDigest!: string;
  @Digits({ description: 'Granted last; "0" before the first.' }) fence!: string;
  @Whole({ min: 0, max: 3, description: 'Leases that expired; the third exhausts the task.' }) attempts!: number;
  @Time() queuedAt!: string;
  @Time() updatedAt!: string;
  @Nested(() => HolderAnswer, { optional: true }) holder?: HolderAnswer;
  @Time({ optional: true }) leaseExpiresAt?: string;
  @Text({ max: 4_000, optional: true }) blockedQuestion?: string;
  @Id({ optional: true }) receiptId?: string;
  @OneOf(VERDICTS, { optional: true, description: 'What a verifier said last, in lists: queued and rejected is work to do again.' })
  lastVerdict?: string;
}

export class VerificationItem extends TaskItem {
  @Sha256() reportDigest!: string;
  @Time() reportedAt!: string;
}

const BRIEF = Ruled(
  { schema: { oneOf: [{ type: 'string' }, { type: 'object' }] }, faults: () => [] },
  { description: 'What a person wrote, or the fields of the record that say it.' },
);

export class TaskAnswer extends TaskItem {
  @Id() decidedBy!: string;
  @Id() agent!: string;
  @BRIEF brief!: string | object;
  @Nested(() => ScopeAnswer) work!: ScopeAnswer;
  @ListOf(() => AnsweredQuestion, { max: 1_000 }) answers!: AnsweredQuestion[];
  @Text({ max: 60, optional: true }) leaseId?: string;
  @OneOf(KINDS, { optional: true }) leaseKind?: string;
  @OneOf(taskStatuses, { optional: true, description: 'What it is again if the lease ends without report or verdict.' })
  restsAs?: TaskStatus;
  @Nested(() => ReportAnswer, { optional: true }) report?: ReportAnswer;
  @Nested(() => VerdictAnswer, { optional: true }) verdict?: VerdictAnswer;
  @Nested(() => ShipmentAnswer, { optional: true }) shipment?: ShipmentAnswer;
  @Digits() revision!: string;
}

class AuthorAnswer {
  @Id() id!: string;
  @OneOf(['human', 'agent', 'service']) kind!: string;
}

/** The fields of the event follow, by its type. */
class TimelineItem {
  @Id() eventId!: string;
  @Text({ max: 100 }) type!: string;
  @Digits() revision!: string;
  @Text({ max: 200 }) position!: string;
  @Nested(() => AuthorAnswer) actor!: AuthorAnswer;
  @Id() auditId!: string;
  @Time() at!: string;
}

export class TimelineAnswer {
  @ListOf(() => TimelineItem, { max: 10_000 }) items!: TimelineItem[];
  @ApiProperty({ type: 'string', nullable: true }) next!: string | null;
}

class LeaseItem {
  @Text({ max: 60 }) leaseId!: string;
  @Id() taskId!: string;
  @Digits() fence!: string;
  @Time() expiresAt!: string;
  @OneOf(KINDS) kind!: string;
}

export class RenewedAnswer extends CommandAnswer {
  @Nested(() => LeaseItem) lease!: LeaseItem;
  @Time() expiresAt!: string;
}

export class ClaimedAnswer extends RenewedAnswer {
  @Digits() fence!: string;
  @Text({ max: 1_000 }) title!: string;
  @Text({ max: 100 }) queue!: string;
  @Id() proposalId!: string;
  @BRIEF brief!: string | object;
  @Nested(() => ScopeAnswer) work!: ScopeAnswer;
  @Sha256() scopeDigest!: string;
  @ListOf(() => AnsweredQuestion, { max: 1_000 }) answers!: AnsweredQuestion[];
  @Nested(() => ReportAnswer, { optional: true, description: 'What was handed in before.' }) report?: ReportAnswer;
  @Nested(() => VerdictAnswer, { optional: true }) verdict?: VerdictAnswer;
}

export class VerificationClaimedAnswer extends ClaimedAnswer {
  @Sha256() reportDigest!: string;
}

export class VerificationBriefAnswer {
  @Id() taskId!: string;
  @OneOf(taskStatuses) status!: TaskStatus;
  @Digits() fence!: string;
  @Sha256() reportDigest!: string;
  @Text({ max: 1_000 }) title!: string;
  @Text({ max: 100 }) queue!: string;
  @Id() proposalId!: string;
  @BRIEF brief!: string | object;
  @Nested(() => ScopeAnswer) work!: ScopeAnswer;
  @Sha256() scopeDigest!: string;
  @ListOf(() => AnsweredQuestion, { max: 1_000 }) answers!: AnsweredQuestion[];
  @Nested(() => ReportAnswer) report!: ReportAnswer;
  @Nested(() => VerdictAnswer, { optional: true }) verdict?: VerdictAnswer;
}

export class LeaseAsItIs {
  @Text({ max: 60 }) leaseId!: string;
  @Id() taskId!: string;
  @Digits() fence!: string;
  @OneOf(KINDS) kind!: string;
  @Nested(() => HolderAnswer) holder!: HolderAnswer;
  @Flag() live!: boolean;
  @Time({ optional: true }) expiresAt?: string;
  @OneOf(['reported', 'judged', 'released', 'expired', 'revoked', 'cancelled'], { optional: true }) ended?: string;
  @OneOf(taskStatuses, { description: 'Of the task.' }) status!: TaskStatus;
  @Text({ max: 4_000, nullable: true }) blockedQuestion!: string | null;
  @ListOf(() => AnsweredQuestion, { max: 1_000 }) answers!: AnsweredQuestion[];
}

export class StatusAnswer extends CommandAnswer {
  @OneOf(taskStatuses) status!: TaskStatus;
}

export class ReportedAnswer extends StatusAnswer {
  @Id() taskId!: string;
  @Sha256() reportDigest!: string;
}

export class JudgedAnswer extends StatusAnswer {
  @Id() taskId!: string;
  @OneOf(VERDICTS) verdict!: string;
}

class WhereToLook {
  @Text({ max: 200 }) poll!: string;
}

export class ShippedAnswer extends StatusAnswer {
  @Id() taskId!: string;
  @Id({ optional: true }) receiptId?: string;
  @Nested(() => WhereToLook, { optional: true, description: 'The receipt is on its way.' }) pending?: WhereToLook;
}

export class StoredArtifact {
  @Sha256() sha256!: string;
  @Whole({ min: 0, max: 5_242_880 }) size!: number;
}
