import { derivedId, idOf, SYSTEM_ID, type Recorded } from '#libs/kernel';
import type { Journal } from './journal.js';
import { broken, byStream, type Violation } from './violation.js';

/** Positions rise, ids are distinct, and no stream has a hole or a double. */
export const gapless = (events: readonly Recorded[]): Violation[] => {
  const found: Violation[] = [];
  const ids = new Set<string>();
  const next = new Map<string, bigint>();
  let last = -1n;
  for (const event of events) {
    if (BigInt(event.position) <= last) found.push(broken('gapless', event, `It stands behind position ${last}.`));
    last = BigInt(event.position);
    if (ids.has(event.id)) found.push(broken('gapless', event, `Its id ${event.id} is another event's.`));
    ids.add(event.id);
    const expected = next.get(event.stream) ?? 0n;
    if (event.revision !== expected) found.push(broken('gapless', event, `Its stream goes on at ${expected}.`));
    next.set(event.stream, event.revision + 1n);
  }
  return found;
};

/** What the product writes by itself: at its first start, and when a time has passed. Everything else of its own answers an event. */
const FIRST = ['TenantCreated', 'WorkspaceCreated', 'CredentialIssued'];
const TIMED = [
  'LeaseExpired',
  'VerificationExpired',
  'TaskExhausted',
  'ConfirmationExpired',
  'PermissionExpired',
  'GrantExpired',
  'ApprovalResolved',
];

/**
 * Every event has its cause: one of the product answers an earlier event or a time that has come, one of a person or an agent
 * was asked for by a client. A command writes to one stream, in one go, under ids that follow from it.
 */
export const causes = (events: readonly Recorded[], journal: Journal | undefined): Violation[] => {
  const found: Violation[] = [];
  const earlier = new Set<string>();
  const commands = new Map<string, Recorded[]>();
  for (const event of events) {
    const { meta, type } = event;
    const own = meta.causationId === meta.commandId;
    if (meta.actor.id === SYSTEM_ID) {
      if (own && !FIRST.includes(type) && !TIMED.includes(type)) found.push(broken('cause', event, 'It answers no event.'));
      if (!own && !earlier.has(meta.causationId))
        found.push(broken('cause', event, `What it answers, ${meta.causationId}, is not before it.`));
    } else if (journal && !journal.asked.has(meta.commandId)) {
      found.push(broken('cause', event, `No client asked for command ${meta.commandId}.`));
    }
    earlier.add(event.id);
    const group = commands.get(meta.commandId) ?? [];
    group.push(event);
    commands.set(meta.commandId, group);
    const [first] = group;
    if (first!.stream !== event.stream) found.push(broken('cause', event, `Its command wrote to ${first!.stream} already.`));
    else if (event.revision !== first!.revision + BigInt(group.length - 1))
      found.push(broken('cause', event, 'Its command wrote at another time already.'));
    if (event.id !== derivedId(meta.commandId, String(group.length - 1)))
      found.push(broken('cause', event, 'Its id does not follow from its command.'));
  }
  return found;
};

/** Facts that a refusal may leave: they say that nothing happened. */
const FACTS = ['StaleLeaseRejected', 'VerificationRefused', 'LeaseRevoked', 'ConfirmationExpired', 'ConfirmationInvalidated'];

/** What clients were told is in the log, where they were told it is; and what was refused had no effect. */
export const told = (events: readonly Recorded[], journal: Journal): Violation[] => {
  const commands = new Map<string, Recorded[]>();
  for (const event of events) commands.set(event.meta.commandId, [...(commands.get(event.meta.commandId) ?? []), event]);
  const streams = byStream(events);
  const lost = journal.acknowledged.flatMap(({ commandId, what, id, revision, position, auditId, fence }): Violation[] => {
    const place = `${position} ${what} ${id}@${revision}`;
    const own = commands.get(commandId);
    if (!own) return [{ rule: 'acknowledged', place, detail: `Command ${commandId} was acknowledged and is not in the log.` }];
    const event = own.at(-1)!;
    const there = idOf(event.stream) === id && event.revision.toString() === revision && event.position === position;
    if (!there || event.meta.auditId !== auditId)
      return [broken('acknowledged', event, `It was acknowledged as ${place}, audit id ${auditId}.`)];
    if (streams.get(event.stream)?.[Number(revision)]?.id !== event.id)
      return [broken('acknowledged', event, 'It is not where its stream has this revision.')];
    const written = (event.data as { fence?: string }).fence;
    return fence !== undefined && written !== fence
      ? [broken('stale-fence', event, `It was sent under fence ${fence} and stored under ${written}.`)]
      : [];
  });
  const effects = journal.refused.flatMap(({ commandId, what, code }) =>
    (commands.get(commandId) ?? [])
      .filter(({ type }) => !FACTS.includes(type))
      .map((event) => broken('refused', event, `${what} was refused with ${code}.`)),
  );
  return [...lost, ...effects];
};
