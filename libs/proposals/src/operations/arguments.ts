import { Digits, Id, JsonObject, ListOf, Nested, OneOf, Text } from '#libs/http';
import { recordKinds, type Fields, type RecordKind } from '#libs/records';
import type { WorkScope } from '../work-scope.js';

/** See `WorkScope`. */
export class WorkScopeDto implements WorkScope {
  @Text({ max: 500, pattern: /^(https?:\/\/|ssh:\/\/|file:\/\/|\/)\S+$/, description: 'A URL or an absolute path.' }) repository!: string;
  @Text({ max: 64, pattern: /^([0-9a-f]{40}|[0-9a-f]{64})$/, description: 'A full git commit id.' }) baseRevision!: string;
  @ListOf('text', {
    min: 1,
    max: 200,
    item: { max: 500 },
    description: 'Files or directories that may change, relative to the root. No patterns.',
  })
  paths!: string[];
  @ListOf('text', { max: 50, item: { max: 500 }, description: 'Commands that the executor is told to run.' }) commands!: string[];
  @ListOf('argv', { min: 1, max: 20, item: { max: 500 }, description: 'Argument lists that must pass, run without a shell.' })
  checks!: string[][];
  @ListOf('text', { max: 50, item: { max: 1_000 }, description: 'When it is done, in sentences.' }) criteria!: string[];
}

export class CreateRecordArguments {
  @OneOf(recordKinds) kind!: RecordKind;
  @JsonObject({ description: "The kind's fields." }) fields!: Fields;
}

export class ChangeRecordArguments {
  @Id() recordId!: string;
  @JsonObject({ description: 'Field by field the new value; null takes an optional field away.' }) changes!: Fields;
}

export class ReplyArguments {
  @Id() recordId!: string;
  @Text({ max: 10_000 }) text!: string;
}

export class DispatchArguments {
  @Id() recordId!: string;
  @Nested(() => WorkScopeDto) work!: WorkScopeDto;
}

export class GenerateArguments {
  @Id({ description: 'The budget that pays.' }) budgetId!: string;
  @Id({ description: 'The content brief to generate for.' }) briefId!: string;
  @Digits({ description: 'Minor units of the budget’s currency.' }) amount!: string;
  @Nested(() => WorkScopeDto) work!: WorkScopeDto;
}

export class ArchiveRecordArguments {
  @Id() recordId!: string;
}

export class ArchiveManyArguments {
  @ListOf('id', { min: 2, max: 50, unique: true }) recordIds!: string[];
}
