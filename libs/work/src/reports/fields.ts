import { Digits, ListOf, OneOf, Sha256, Text, Whole } from '#libs/http';
import type { ChangedPath, EvidenceAtom } from '../task-events.js';

/** A full git object id. */
export const OBJECT_ID = /^([0-9a-f]{40}|[0-9a-f]{64})$/;

export class ArtifactDto {
  @Text({ max: 1_000, optional: true, description: 'A file of the reported commit; or else:' }) path?: string;
  @Text({ max: 2_000, optional: true, description: 'where it lies elsewhere.' }) uri?: string;
  @Text({ max: 200 }) mediaType!: string;
  @Whole({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'In bytes.' }) size!: number;
  @Sha256() sha256!: string;
  @Text({ max: 64, pattern: OBJECT_ID, optional: true }) commit?: string;
}

export class ChangedPathDto {
  @Text({ max: 4_096 }) path!: string;
  @OneOf(['added', 'modified', 'deleted', 'renamed', 'mode']) change!: ChangedPath['change'];
  @Text({ max: 4_096, optional: true, description: 'The other side of a rename.' }) from?: string;
}

/** One run of one check. Where it comes from is for the server to say: a field that states it is unknown. */
export class EvidenceDto {
  @Text({ max: 2_000, description: "Its index in the scope's checks, or its arguments joined by spaces." }) check!: string;
  @OneOf(['passed', 'failed', 'skipped']) status!: EvidenceAtom['status'];
  @Whole({ min: -1, max: 255 }) exitCode!: number;
  @Sha256({ description: 'Of its output, stored as an artifact.' }) outputSha256!: string;
  @Whole({ min: 0, max: 86_400_000 }) durationMs!: number;
  @Whole({ min: 0, max: 10_000_000, optional: true }) testsRun?: number;
}

export class FindingDto {
  @Text({ max: 100 }) code!: string;
  @Text({ max: 2_000 }) detail!: string;
  @Text({ max: 4_096, optional: true }) path?: string;
}

export class ReportDto {
  @Digits() fence!: string;
  @Text({ max: 64, pattern: OBJECT_ID, description: 'The commit that holds the work.' }) revision!: string;
  @ListOf(() => ArtifactDto, { max: 500 }) artifacts!: ArtifactDto[];
  @ListOf(() => ChangedPathDto, { max: 2_000 }) changedPaths!: ChangedPathDto[];
  @ListOf(() => EvidenceDto, { max: 200 }) evidence!: EvidenceDto[];
  @Text({ max: 10_000 }) summary!: string;
}

/** A body as plain data, as events hold it: no classes, nothing undefined. */
export const plain = <T extends object>(body: T): T => JSON.parse(JSON.stringify(body)) as T;
