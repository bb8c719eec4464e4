import { digestOf, type CommandMeta, type Refusal } from '#libs/kernel';
import { kindOf, recordDecider, type GovernedRecord, type Fields, type RecordCommand, type RecordKind } from '#libs/records';
import type { FieldChange, Image, ProposalSubmitted, QueuedWork } from '../proposal.js';
import { scopeDigest } from '../work-scope.js';
import type { Effect, Plan } from './operation.js';

/** A record as a proposal keeps it. */
export const imageOf = (id: string, record: Exclude<GovernedRecord, { status: 'none' }>): Image => ({
  kind: record.kind,
  id,
  title: String(record.fields['title']),
  revision: record.revision.toString(),
  digest: digestOf(record.fields),
  fields: record.fields,
});

/** The differences that a person decides on, field by field. */
export const changesOf = (effects: readonly Effect[], images: readonly Image[]): FieldChange[] =>
  effects.flatMap((effect) => {
    const image = images.find(({ id }) => id === effect.recordId);
    const many = images.length > 1 && image ? { record: image.title } : {};
    switch (effect.type) {
      case 'create':
        return diff(effect.kind, {}, effect.fields);
      case 'change':
        return diff(image!.kind as RecordKind, image!.fields, effect.changes);
      case 'archive':
        return [{ ...many, field: '(record)', label: image!.title, before: 'active', after: 'archived' }];
      default:
        return effect satisfies never;
    }
  });

const diff = (kind: RecordKind, before: Fields, after: Fields): FieldChange[] =>
  Object.entries(after)
    .map(([field, value]) => ({
      field,
      label: kindOf(kind).fields[field]?.label ?? field,
      before: before[field] ?? null,
      after: value ?? null,
    }))
    .filter((change) => digestOf(change.before) !== digestOf(change.after));

type Origin = Readonly<{ proposalId: string; operation: string; reason: string; requester: string; approvedBy: string }>;

/** The command that an effect sends to its record, at exactly the revision that was shown. */
export const commandOf = (effect: Effect, images: readonly Image[], origin: Origin, meta: CommandMeta): RecordCommand => {
  const expectedRevision = images.find(({ id }) => id === effect.recordId)?.revision ?? '-1';
  switch (effect.type) {
    case 'create':
      return { type: 'CreateRecord', data: { ...origin, kind: effect.kind, fields: effect.fields }, meta };
    case 'change':
      return { type: 'ChangeRecord', data: { ...origin, expectedRevision, changes: effect.changes }, meta };
    case 'archive':
      return { type: 'ArchiveRecord', data: { ...origin, expectedRevision }, meta };
    default:
      return effect satisfies never;
  }
};

/** What a record would answer now, so that nobody is asked to approve what cannot happen. Its faults point into `args`, which may name no field. */
export const rehearse = (record: GovernedRecord, command: RecordCommand, args: object): Refusal | undefined => {
  const no = recordDecider.decide(command, record).refusal;
  const named = (pointer: string) => (Object.hasOwn(args, pointer.split('/')[1] ?? '') ? pointer : '');
  return no?.errors ? { ...no, errors: no.errors.map((error) => ({ ...error, pointer: `/arguments${named(error.pointer)}` })) } : no;
};

export const queuedWork = (plan: Plan, queue: string | undefined): QueuedWork | undefined =>
  plan.work && queue !== undefined ? { queue, ...plan.work, scopeDigest: scopeDigest(plan.work.scope) } : undefined;

const ACTION_SCHEMA = 1;

/** What a decision binds to: the same intent on other revisions, by another agent or with a wider scope is another action. */
export const actionDigestOf = (
  data: Pick<
    ProposalSubmitted['data'],
    'operation' | 'arguments' | 'targets' | 'references' | 'tenant' | 'workspace' | 'agent' | 'requester' | 'work'
  >,
): string =>
  digestOf({
    schema: ACTION_SCHEMA,
    operation: data.operation,
    targets: data.targets.map(({ id, revision, digest }) => ({ id, revision, digest })),
    arguments: data.arguments,
    tenant: data.tenant.id,
    workspace: data.workspace.id,
    agent: data.agent.id,
    requester: data.requester.id,
    references: data.references.map(({ id, revision, digest }) => ({ id, revision, digest })),
    ...(data.work && { scope: data.work.scopeDigest }),
  });
