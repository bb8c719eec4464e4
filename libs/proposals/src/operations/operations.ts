import { isInScope, type WorkScope } from '../work-scope.js';
import type { Image, OperationName } from '../proposal.js';
import {
  ArchiveManyArguments,
  ArchiveRecordArguments,
  ChangeRecordArguments,
  CreateRecordArguments,
  DispatchArguments,
  GenerateArguments,
  ReplyArguments,
} from './arguments.js';
import type { Effect, Operation } from './operation.js';
import { derivedId } from '#libs/kernel';
import { kindOf, type RecordKind } from '#libs/records';
import { moneyText } from './money.js';

const nothing = 'Nothing changes; the reason that you give goes back to the agent.';
const row = <A extends object>(operation: Operation<A>): Operation => operation;
const label = (kind: string): string => kindOf(kind as RecordKind).label.toLowerCase();

/** Every operation that an assistant can propose. A row without class or mode does not compile. */
export const operations: Readonly<Record<OperationName, Operation>> = {
  'record.create': row<CreateRecordArguments>({
    title: 'Create a record',
    arguments: CreateRecordArguments,
    risk: 'write',
    why: 'It adds a record; it can be archived again.',
    mode: 'supervised',
    reversible: true,
    names: () => ({ targets: [], references: [] }),
    plan: ({ arguments: { kind, fields }, proposalId }) => ({
      summary: `Create the ${label(kind)} "${String(fields['title'])}"`,
      effects: [{ type: 'create', recordId: derivedId(proposalId, 'record'), kind, fields }],
      warnings: [],
      outcomes: { approve: `The ${label(kind)} is created.`, decline: nothing },
    }),
  }),

  'record.change': row<ChangeRecordArguments>({
    title: 'Change a record',
    arguments: ChangeRecordArguments,
    risk: 'write',
    why: 'It changes fields; the old values stay in the history.',
    mode: 'supervised',
    reversible: true,
    names: ({ recordId }) => ({ targets: [recordId], references: [] }),
    plan: ({ arguments: { recordId, changes }, targets: [target] }) => ({
      summary: `Change the ${label(target!.kind)} "${target!.title}"`,
      effects: [{ type: 'change', recordId, changes }],
      warnings: [],
      outcomes: { approve: 'The fields take the values shown.', decline: nothing },
    }),
  }),

  'thread.reply': row<ReplyArguments>({
    title: 'Reply in a thread',
    arguments: ReplyArguments,
    risk: 'write',
    why: 'It adds a message that people of the workspace read.',
    mode: 'supervised',
    targetKinds: ['thread'],
    reversible: false,
    names: ({ recordId }) => ({ targets: [recordId], references: [] }),
    plan: ({ arguments: { recordId, text }, targets: [thread], requester }) => ({
      summary: `Reply in "${thread!.title}"`,
      effects: [
        { type: 'change', recordId, changes: { messages: [...(thread!.fields['messages'] as unknown[]), { author: requester, text }] } },
      ],
      warnings: thread!.fields['status'] === 'closed' ? ['The thread is closed.'] : [],
      outcomes: { approve: 'The message appears in the thread, in the name of the requester.', decline: nothing },
    }),
  }),

  'brief.dispatch': row<DispatchArguments>({
    title: 'Dispatch an accepted brief',
    arguments: DispatchArguments,
    risk: 'write',
    why: 'Agents will work on it within the scope shown; nothing ships without verification.',
    mode: 'supervised',
    targetKinds: ['content_brief'],
    queue: 'content',
    reversible: true,
    names: ({ recordId }) => ({ targets: [recordId], references: [] }),
    plan: ({ arguments: { recordId, work }, targets: [brief] }) => ({
      summary: `Dispatch the brief "${brief!.title}"`,
      effects: [{ type: 'change', recordId, changes: { status: 'dispatched' } }],
      warnings: scopeWarnings(work),
      outcomes: { approve: 'The brief is queued for an executor, with exactly the scope shown.', decline: nothing },
      work: { title: brief!.title, brief: briefText(brief!), scope: work },
    }),
  }),

  'work.dispatch': row<DispatchArguments>({
    title: 'Dispatch a work item',
    arguments: DispatchArguments,
    risk: 'write',
    why: 'Agents will work on it within the scope shown; nothing ships without verification.',
    mode: 'supervised',
    targetKinds: ['work_item'],
    queue: 'code',
    reversible: true,
    names: ({ recordId }) => ({ targets: [recordId], references: [] }),
    plan: ({ arguments: { recordId, work }, targets: [item] }) => ({
      summary: `Dispatch the work item "${item!.title}"`,
      effects: [{ type: 'change', recordId, changes: { status: 'in_progress' } }],
      warnings: [...scopeWarnings(work), ...(item!.fields['status'] === 'in_progress' ? ['It is in progress already.'] : [])],
      outcomes: { approve: 'The work item is queued for an executor, with exactly the scope shown.', decline: nothing },
      work: { title: item!.title, brief: briefText(item!), scope: work },
    }),
  }),

  'studio.generate': row<GenerateArguments>({
    title: 'Generate in the studio',
    arguments: GenerateArguments,
    risk: 'financial',
    why: 'It spends from a budget; what is spent does not come back.',
    mode: 'four_eyes',
    targetKinds: ['budget'],
    referenceKinds: ['content_brief'],
    queue: 'studio',
    reversible: false,
    names: ({ budgetId, briefId }) => ({ targets: [budgetId], references: [briefId] }),
    plan: ({ arguments: { budgetId, amount, work }, targets: [budget], references: [brief] }) => {
      const spent = BigInt(budget!.fields['spent'] as string) + BigInt(amount);
      const left = BigInt(budget!.fields['limit'] as string) - spent;
      return {
        summary: `Generate "${brief!.title}" for ${moneyText(amount, budget!.fields['currency'] as string)} from "${budget!.title}"`,
        effects: [{ type: 'change', recordId: budgetId, changes: { spent: spent.toString() } }],
        warnings: [
          ...scopeWarnings(work),
          ...(left >= 0n && left * 10n < BigInt(budget!.fields['limit'] as string)
            ? ['Less than a tenth of the budget is left after this.']
            : []),
        ],
        outcomes: { approve: 'The amount is spent and the generation is queued for the studio.', decline: nothing },
        work: { title: `Generate: ${brief!.title}`, brief: briefText(brief!), scope: work },
      };
    },
  }),

  'record.archive': row<ArchiveRecordArguments>({
    title: 'Archive a record',
    arguments: ArchiveRecordArguments,
    risk: 'destructive',
    why: 'The record leaves the working set for good; only its history stays.',
    mode: 'four_eyes',
    reversible: false,
    names: ({ recordId }) => ({ targets: [recordId], references: [] }),
    plan: ({ arguments: { recordId }, targets: [target] }) => ({
      summary: `Archive the ${label(target!.kind)} "${target!.title}"`,
      effects: [{ type: 'archive', recordId }],
      warnings: [],
      outcomes: { approve: 'The record is archived and changes no more.', decline: nothing },
    }),
  }),

  'records.archiveMany': row<ArchiveManyArguments>({
    title: 'Archive many records',
    arguments: ArchiveManyArguments,
    risk: 'bulk',
    why: 'Many records leave the working set for good at once.',
    mode: 'four_eyes',
    reversible: false,
    names: ({ recordIds }) => ({ targets: recordIds, references: [] }),
    plan: ({ arguments: { recordIds }, targets }) => ({
      summary: `Archive ${recordIds.length} records`,
      effects: recordIds.map((recordId): Effect => ({ type: 'archive', recordId })),
      warnings: [...new Set(targets.map(({ kind }) => kind))].length > 1 ? ['The records are of different kinds.'] : [],
      outcomes: { approve: `All ${recordIds.length} records are archived and change no more.`, decline: nothing },
    }),
  }),
};

const scopeWarnings = (work: WorkScope): string[] => [
  ...(work.commands.length > 0
    ? [`The executor is told to run ${work.commands.length === 1 ? 'a command' : `${work.commands.length} commands`}.`]
    : []),
  ...(['.github', '.ci', 'package.json'].some((path) => isInScope(path, work))
    ? ['The scope covers files that decide what runs in continuous integration.']
    : []),
];

const briefText = ({ title, fields }: Image): string =>
  [
    title,
    ...['description', 'audience'].flatMap((name) => (typeof fields[name] === 'string' ? [fields[name]] : [])),
    ...(Array.isArray(fields['outline']) ? (fields['outline'] as string[]).map((line) => `- ${line}`) : []),
    ...(Array.isArray(fields['acceptanceCriteria'])
      ? (fields['acceptanceCriteria'] as string[]).map((line) => `Accepted when: ${line}`)
      : []),
  ].join('\n');
