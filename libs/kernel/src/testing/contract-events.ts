import { EventTypes, eventTypes } from '../encoding.js';
import { NO_STREAM, type EventStore } from '../event-store.js';
import type { Event, NewEvent, Position, Recorded } from '../event.js';
import { newId } from '../ids.js';
import { TENANT, WORKSPACE } from './decider-specification.js';

export type Noted = Event<'Noted', { note: unknown }>;

/** The registry that a store under contract is opened with. */
export const contractTypes = new EventTypes(eventTypes<Noted>({ Noted: 1 }));

/** An event that holds `note`, ready to append. */
export const noted = (note: unknown, id = newId()): NewEvent<Noted> => ({
  type: 'Noted',
  data: { note },
  id,
  meta: {
    tenantId: TENANT,
    workspaceId: WORKSPACE,
    actor: { id: 'ann', kind: 'human' },
    credentialId: 'credential',
    auditId: 'audit',
    commandId: 'command',
    requestDigest: 'digest',
    correlationId: 'correlation',
    causationId: 'cause',
  },
});

/** Waits on the doorbell until `count` events lie after `after`: a store may hold back what is not settled yet. */
export const readAfter = async (store: EventStore, after: Position | undefined, count: number, limit = 1000): Promise<Recorded[]> => {
  const found: Recorded[] = [];
  const leave = new AbortController();
  for await (const _ of store.changes(leave.signal))
    for (;;) {
      const page = await store.readAll(after, limit);
      if (page.events.length > limit) throw new Error(`A page of ${page.events.length} for a limit of ${limit}.`);
      found.push(...page.events);
      if (found.length >= count) return found;
      if (page.position === after) break;
      after = page.position;
    }
  return found;
};

/** What `store` holds now ends here. */
export const endOf = async (store: EventStore): Promise<Position> =>
  (await store.append(`mark-${newId()}`, [noted('mark')], NO_STREAM)).position;
