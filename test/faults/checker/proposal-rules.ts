import { idOf, type Recorded } from '#libs/kernel';
import type { MutationReceipt, ProposalEvent } from '#libs/proposals';
import { broken, byStream, type Violation } from './violation.js';

const DECISIONS = ['ConfirmationApproved', 'ConfirmationDeclined', 'ConfirmationExpired', 'ConfirmationInvalidated', 'ProposalWithdrawn'];
const RECORDS = ['RecordCreated', 'RecordChanged', 'RecordArchived'];

/** One decision a proposal, one conclusion an approval, and of each committed change exactly the effects that its receipt names. */
export const proposalRules = (events: readonly Recorded[]): Violation[] => {
  const found: Violation[] = [];
  const streams = byStream(events);
  const effects = new Map<string, Recorded[]>();
  const queued = new Map<string, Recorded[]>();
  for (const event of events) {
    const { proposalId } = event.data as { proposalId?: string };
    if (proposalId === undefined) continue;
    if (RECORDS.includes(event.type)) effects.set(proposalId, [...(effects.get(proposalId) ?? []), event]);
    if (event.type === 'TaskQueued') queued.set(proposalId, [...(queued.get(proposalId) ?? []), event]);
  }
  for (const [stream, own] of streams) {
    if (!stream.startsWith('proposal-')) continue;
    const [first] = own as Recorded<ProposalEvent>[];
    if (first?.type !== 'ProposalSubmitted') found.push(broken('cause', first!, 'It was never submitted.'));
    const decisions = own.filter(({ type }) => DECISIONS.includes(type));
    for (const again of decisions.slice(1)) found.push(broken('one-decision', again, `It was decided already: ${decisions[0]!.type}.`));
    const approval = own.find(({ type }) => type === 'ConfirmationApproved');
    const conclusions = own.filter(({ type }) => type === 'MutationCommitted' || type === 'MutationFailed');
    for (const again of conclusions.slice(1)) found.push(broken('one-effect', again, 'It was concluded already.'));
    const [conclusion] = conclusions as Recorded<ProposalEvent>[];
    if (conclusion && (!approval || approval.revision > conclusion.revision))
      found.push(broken('one-decision', conclusion, 'Nobody had approved it.'));
    found.push(...effectFaults(conclusion, effects.get(idOf(stream)) ?? [], approval, streams));
    found.push(...taskFaults(conclusion, queued.get(idOf(stream)) ?? []));
  }
  for (const [proposalId, orphans] of [...effects, ...queued])
    if (!streams.has(`proposal-${proposalId}`))
      for (const orphan of orphans) found.push(broken('cause', orphan, `There is no proposal ${proposalId}.`));
  return found;
};

const effectFaults = (
  conclusion: Recorded<ProposalEvent> | undefined,
  effects: readonly Recorded[],
  approval: Recorded | undefined,
  streams: ReadonlyMap<string, Recorded[]>,
): Violation[] => {
  const found: Violation[] = [];
  const changed = new Set<string>();
  for (const effect of effects) {
    if (!approval || BigInt(approval.position) > BigInt(effect.position))
      found.push(broken('one-effect', effect, 'Nobody had approved it.'));
    if (changed.has(effect.stream)) found.push(broken('one-effect', effect, 'Its proposal changed this record already.'));
    changed.add(effect.stream);
  }
  if (!conclusion) return found;
  const { receipts, applied } = conclusion.data as { receipts?: MutationReceipt[]; applied?: MutationReceipt[] };
  const named = receipts ?? applied ?? [];
  for (const { stream, revision, position } of named) {
    const effect = streams.get(stream)?.[Number(revision)];
    if (!effect || effect.position !== position || !effects.includes(effect))
      found.push(broken('one-effect', conclusion, `${stream}@${revision} is not its effect.`));
    else if (BigInt(effect.position) > BigInt(conclusion.position))
      found.push(broken('one-effect', conclusion, 'It was concluded before its effect.'));
  }
  for (const effect of effects)
    if (!named.some(({ stream, revision }) => stream === effect.stream && revision === effect.revision.toString()))
      found.push(broken('one-effect', effect, `${conclusion.type} does not name it.`));
  return found;
};

const taskFaults = (conclusion: Recorded<ProposalEvent> | undefined, tasks: readonly Recorded[]): Violation[] => {
  const expected = conclusion?.type === 'MutationCommitted' && conclusion.data.work !== undefined;
  return tasks.flatMap((task, index) => {
    if (index > 0) return [broken('one-effect', task, 'Its proposal queued a task already.')];
    return expected && BigInt(conclusion.position) < BigInt(task.position)
      ? []
      : [broken('one-effect', task, 'Its proposal committed no work before it.')];
  });
};

/** Of a run that has come to rest: what is still on its way. */
export const unfinished = (events: readonly Recorded[]): Violation[] => {
  const queued = new Set(events.flatMap(({ type, data }) => (type === 'TaskQueued' ? [(data as { proposalId: string }).proposalId] : [])));
  return [...byStream(events).values()].flatMap((own) => {
    const last = own.at(-1)!;
    if (last.type === 'ConfirmationApproved') return [broken('unfinished', last, 'It was approved and never carried out.')];
    const committed = own.find(({ type }) => type === 'MutationCommitted') as Recorded<ProposalEvent> | undefined;
    if (committed && 'work' in committed.data && committed.data.work !== undefined && !queued.has(idOf(committed.stream)))
      return [broken('unfinished', committed, 'Its work was never queued.')];
    if (last.type === 'WorkShipped') return [broken('unfinished', last, 'It has no receipt.')];
    return [];
  });
};
