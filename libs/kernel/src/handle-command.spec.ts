import { accept, record, refuse, type Command, type CommandMeta, type Decider } from './decider.js';
import { EventTypes, eventTypes } from './encoding.js';
import { ConcurrencyError, DuplicateEventError, NO_STREAM } from './event-store.js';
import type { Event } from './event.js';
import { findOutcome, handleCommand } from './handle-command.js';
import { derivedId, newId } from './ids.js';
import { InMemoryEventStore } from './in-memory.event-store.js';
import type { Principal } from './principal.js';
import { DomainError, refusal } from './refusal.js';
import { WORKSPACE, metaOf, noted, principal } from './testing/index.js';

type Opened = Event<'Opened', { seats: number }>;
type Taken = Event<'Taken', { by: string; at: string }>;
type LatecomerRefused = Event<'LatecomerRefused', { by: string; seats: number }>;
type Table = Readonly<{ seats: number; taken: readonly string[] }>;
type TableCommand = Command<'Open', { seats: number }> | Command<'Take'> | Command<'Look'>;
type TableEvent = Opened | Taken | LatecomerRefused;

const full = (by: string, seats: number) =>
  refusal('conflict', 'table/full', `All ${seats} seats were taken before ${by} came.`, { by, seats });

const table: Decider<TableCommand, Table, TableEvent> = {
  category: 'table',
  initialState: { seats: 0, taken: [] },
  decide: ({ type, data, meta }, { seats, taken }) => {
    if (type === 'Open') return seats > 0 ? refuse('conflict', 'table/open', 'It is open.') : accept<TableEvent>({ type: 'Opened', data });
    if (type === 'Look') return { events: [] };
    if (seats === 0) return refuse('not_found', 'table/closed', 'It is closed.');
    const by = meta.actor.id;
    return taken.length === seats
      ? record<TableEvent>([{ type: 'LatecomerRefused', data: { by, seats } }], full(by, seats))
      : accept<TableEvent>({ type: 'Taken', data: { by, at: meta.at } });
  },
  evolve: (state, event) => {
    if (event.type === 'Opened') return { ...state, seats: event.data.seats };
    return event.type === 'Taken' ? { ...state, taken: [...state.taken, event.data.by] } : state;
  },
  refusalOf: (event) => (event.type === 'LatecomerRefused' ? full(event.data.by, event.data.seats) : undefined),
};

const types = new EventTypes(eventTypes<TableEvent>({ Opened: 1, Taken: 1, LatecomerRefused: 1 }), eventTypes({ Noted: 1 }));
const [ann, bob, eva] = ['ann', 'bob', 'eva'].map((name) => principal(name)) as [Principal, Principal, Principal];
const OTHER = '0192f0c1-0000-7000-8000-0000000000ff';

describe('A command', () => {
  let store: InMemoryEventStore;
  let decided: string[];
  const counting: typeof table = {
    ...table,
    decide: (command, state) => {
      decided.push(command.meta.actor.id);
      return table.decide(command, state);
    },
  };
  const handle = (command: TableCommand, id = '1') => handleCommand(store, counting, id, command);
  const open = (seats = 2, over: Partial<CommandMeta> = {}) =>
    handle({ type: 'Open', data: { seats }, meta: metaOf(ann, { commandId: 'open', ...over }) });
  const take = (actor: Principal, over: Partial<CommandMeta> = {}): TableCommand => ({ type: 'Take', data: {}, meta: metaOf(actor, over) });
  const codeOf = (handling: Promise<unknown>) =>
    handling.then(
      () => 'accepted',
      (error: unknown) => (error instanceof DomainError ? error.refusal.code : error),
    );
  const stored = async () => (await store.readStream('table-1')).events.map(({ type }) => type);

  beforeEach(() => {
    store = new InMemoryEventStore(types);
    decided = [];
  });

  it('is answered with what it wrote, where, and the state after it', async () => {
    await open();
    const handled = await handle(take(bob));
    expect(handled).toMatchObject({ id: '1', revision: 1n, position: '2', state: { seats: 2, taken: ['bob'] } });
    expect(handled.events).toEqual((await store.readStream('table-1')).events.slice(1));
  });

  it('writes who, when and why beside each event, and ids that follow from its own', async () => {
    const over = {
      commandId: 'c',
      requestDigest: 'd',
      correlationId: 'x',
      causationId: 'y',
      onBehalfOf: 'eva',
      policyVersion: '3',
      auditId: 'audit-1',
    };
    const { events } = await open(2, over);
    expect(events).toMatchObject([
      {
        id: derivedId('c', '0'),
        meta: { ...over, actor: { id: 'ann', kind: 'human' }, credentialId: 'credential-of-ann', workspaceId: WORKSPACE, schemaVersion: 1 },
      },
    ]);
    expect(Object.keys(events[0]!.meta.actor)).toEqual(['id', 'kind']);
  });

  it('carries on the audit id of its stream, unless it names another', async () => {
    const { auditId } = await open();
    expect(auditId).toBe(derivedId('open', 'audit'));
    expect((await handle(take(bob))).auditId).toBe(auditId);
    expect((await handle(take(eva, { auditId: 'audit-2' }))).auditId).toBe('audit-2');
  });

  it('that comes again is answered as the first time, and not decided again', async () => {
    await open();
    const first = await handle(take(bob));
    expect(await handle(take(bob, { at: '2030-01-01T00:00:00.000Z', commandId: metaOf(bob).commandId }))).toEqual(first);
    await handle(take(eva));
    const { state, ...answer } = await handle(take(bob));
    expect({ ...answer, state: first.state }).toEqual(first);
    expect(state.taken).toEqual(['bob', 'eva']);
    expect(decided).toEqual(['ann', 'bob', 'eva']);
  });

  it('that comes again with another body is refused', async () => {
    await open();
    await handle(take(bob));
    expect(await codeOf(handle(take(bob, { requestDigest: 'other' })))).toBe('idempotency/other-body');
    expect(await stored()).toEqual(['Opened', 'Taken']);
  });

  it.each<[string, () => TableCommand]>([
    ['an actor of another tenant', () => take({ ...bob, tenantId: OTHER })],
    ['a claim to this tenant by an actor of another', () => take({ ...bob, tenantId: OTHER }, { tenantId: ann.tenantId })],
    ['a claim to another tenant', () => take(bob, { tenantId: OTHER })],
    ['an actor of another workspace', () => take({ ...bob, workspaceIds: [OTHER] })],
    ['an actor of another tenant that repeats a command', () => take({ ...bob, tenantId: OTHER }, { commandId: 'open' })],
  ])('does not find its stream for %s', async (_, command) => {
    await open();
    expect(await codeOf(handle(command()))).toBe('table/not-found');
    expect(decided).toEqual(['ann']);
    expect(await stored()).toEqual(['Opened']);
  });

  it('writes into the workspace of its stream, whichever its actor names', async () => {
    await open();
    const { events } = await handle(take({ ...bob, workspaceIds: [OTHER, WORKSPACE] }, { workspaceId: OTHER }));
    expect(events[0]!.meta.workspaceId).toBe(WORKSPACE);
  });

  it('that is refused leaves nothing', async () => {
    expect(await codeOf(handle(take(bob)))).toBe('table/closed');
    expect(await stored()).toEqual([]);
  });

  it('whose refusal is a fact leaves it, and is refused the same when it comes again', async () => {
    await open(1);
    await handle(take(bob));
    const first: unknown = await handle(take(eva)).catch((error: unknown) => error);
    await handle(take(ann)).catch(() => undefined);
    const again: unknown = await handle(take(eva)).catch((error: unknown) => error);
    expect(first).toMatchObject({ refusal: full('eva', 1) });
    expect(again).toEqual(first);
    expect((again as DomainError).refusal).toEqual((first as DomainError).refusal);
    expect(await stored()).toEqual(['Opened', 'Taken', 'LatecomerRefused', 'LatecomerRefused']);
  });

  it('is never answered as accepted when its refusal was recorded, even by a decider that cannot tell later', async () => {
    await open(1);
    await handle(take(bob));
    const forgetful = { ...table, refusalOf: undefined };
    expect(await codeOf(handleCommand(store, forgetful, '1', take(eva)))).toBe('table/full');
  });

  it('that decides nothing is a fault, not a success', async () => {
    await expect(handle({ type: 'Look', data: {}, meta: metaOf(ann) })).rejects.toThrow('table decided nothing on Look.');
  });

  it('is decided again on what others wrote meanwhile', async () => {
    await open(1);
    expect(await Promise.all([bob, eva].map((actor) => codeOf(handle(take(actor)))))).toEqual(['accepted', 'table/full']);
    expect(decided).toEqual(['ann', 'bob', 'eva', 'eva']);
    expect(await stored()).toEqual(['Opened', 'Taken', 'LatecomerRefused']);
  });

  it('gives up when others were first three times since it read', async () => {
    await open(9);
    const actors = ['1', '2', '3', '4', '5'].map((name) => principal(name));
    expect(await Promise.all(actors.map((actor) => codeOf(handle(take(actor)))))).toEqual([
      'accepted',
      'accepted',
      'accepted',
      'accepted',
      'stream/busy',
    ]);
    expect(decided.filter((actor) => actor === '5')).toHaveLength(4);
    expect(await codeOf(handle(take(actors[4]!)))).toBe('accepted');
  });

  it('that two servers handle at the same time is done once, with one answer', async () => {
    await open(9);
    const [here, there] = await Promise.all(
      ['10', '11'].map((hour) => handle(take(bob, { commandId: 'once', at: `2026-01-05T${hour}:00:00.000Z`, correlationId: hour }))),
    );
    expect(there).toEqual(here);
    expect(await stored()).toEqual(['Opened', 'Taken']);
  });

  it('that starts a stream on two servers at the same time starts it once', async () => {
    const [here, there] = await Promise.all([open(2, { correlationId: 'a' }), open(2, { correlationId: 'b' })]);
    expect(there).toEqual(here);
    expect(await stored()).toEqual(['Opened']);
  });

  it('whose ids another stream holds is a fault', async () => {
    await open();
    await expect(
      open(2, {}).then(() => handle({ type: 'Open', data: { seats: 2 }, meta: metaOf(ann, { commandId: 'open' }) }, '2')),
    ).rejects.toThrow(DuplicateEventError);
  });

  it('on a stream that was never read is decided three times at most', async () => {
    const takes = async (others: number) => {
      store = new InMemoryEventStore(types);
      await handleCommand(store, table, '1', { type: 'Open', data: { seats: 9 }, meta: metaOf(ann, { commandId: 'open' }) });
      const racing = Object.assign(Object.create(store) as InMemoryEventStore, {
        append: (...of: Parameters<InMemoryEventStore['append']>) =>
          others-- > 0 ? Promise.reject(new ConcurrencyError('table-1', 0n, 1n)) : store.append(...of),
      });
      return handleCommand(racing, { ...table }, '1', take(bob));
    };
    expect(await takes(2)).toMatchObject({ revision: 1n });
    await expect(takes(3)).rejects.toMatchObject({ refusal: { kind: 'conflict', code: 'stream/busy' } });
  });

  it('says by its kind how it was refused: nothing here to find, or another wish under the same key', async () => {
    await open();
    const outside = { ...ann, workspaceIds: [OTHER] };
    await expect(handle(take(outside))).rejects.toMatchObject({ refusal: { kind: 'not_found', code: 'table/not-found' } });
    await expect(open(2, { requestDigest: 'another' })).rejects.toMatchObject({
      refusal: { kind: 'invalid', code: 'idempotency/other-body' },
    });
  });

  it('writes the policies that let it through, where there are any', async () => {
    await open(9);
    const policiesOf = async (over: Partial<CommandMeta>) => {
      const { events } = await handle(take(bob, { commandId: newId(), ...over }));
      return events[0]!.meta.policies;
    };
    expect(await policiesOf({ policies: ['one', 'two'] })).toEqual(['one', 'two']);
    expect(await policiesOf({ policies: ['one'] })).toEqual(['one']);
    expect(await policiesOf({ policies: [] })).toBeUndefined();
    expect(await policiesOf({})).toBeUndefined();
  });

  it('makes its stream known also where it came again or was refused: the next one reads nothing', async () => {
    await open(2);
    await handle(take(bob));
    const reads: bigint[] = [];
    const server = () =>
      Object.assign(Object.create(store) as InMemoryEventStore, {
        readStream: (stream: string, from = 0n) => {
          reads.push(from);
          return store.readStream(stream, from);
        },
      });
    const again = server();
    await handleCommand(again, table, '1', take(bob));
    expect(reads.splice(0)).toEqual([0n, 0n]);
    await handleCommand(again, table, '1', take(eva));
    expect(reads).toEqual([]);

    const refusing = server();
    const reopen: TableCommand = { type: 'Open', data: { seats: 1 }, meta: metaOf(eva, { commandId: 'again' }) };
    expect(await codeOf(handleCommand(refusing, table, '1', reopen))).toBe('table/open');
    expect(reads.splice(0)).toEqual([0n]);
    expect(await codeOf(handleCommand(refusing, table, '1', take(ann)))).toBe('table/full');
    expect(reads).toEqual([]);
  });

  it('is decided on nothing that its store has lost since', async () => {
    await open(1);
    const [lost, kept] = [store, new InMemoryEventStore(types)];
    let behind = lost;
    const server = Object.assign(Object.create(lost) as InMemoryEventStore, {
      readStream: (...of: Parameters<InMemoryEventStore['readStream']>) => behind.readStream(...of),
      append: (...of: Parameters<InMemoryEventStore['append']>) => behind.append(...of),
    });
    await handleCommand(kept, { ...table }, '1', { type: 'Open', data: { seats: 1 }, meta: metaOf(ann, { commandId: 'open' }) });
    await handleCommand(server, table, '1', take(bob));
    behind = kept;
    expect(await handleCommand(server, table, '1', take(eva))).toMatchObject({ revision: 1n, state: { taken: ['eva'] } });
  });

  it('can be looked up by those who must know whether it was done', async () => {
    await open();
    await store.append('table-1', [noted('other')], 0n);
    expect(await findOutcome(store, 'table-1', 'open')).toMatchObject([{ type: 'Opened', revision: 0n }]);
    expect(await findOutcome(store, 'table-1', 'never')).toEqual([]);
    expect(await findOutcome(store, 'table-none', 'open')).toEqual([]);
    expect((await store.readStream('table-none')).revision).toBe(NO_STREAM);
  });
});
