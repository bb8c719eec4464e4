import { CommandBus } from '@nestjs/cqrs';
import fc from 'fast-check';
import { DomainError, EventStore, newId, systemPrincipal, type CommandMeta, type Recorded } from '#libs/kernel';
import { HandleProposal, type ProposalCommand, type ProposalEvent } from '#libs/proposals';
import { eventually } from '../support/eventually.js';
import { createRecord, decide, eveFor, propose } from '../support/round-trip.js';
import { startWorkbench, type Workbench } from '../support/workbench.js';
import type { Client } from '../support/client.js';
import { isLong, judgeRace, runs, told, type Told } from './races.js';
import { follow, leaves, predict, type Model, type Wish } from './proposal-model.js';

const approver = fc.constantFrom('ann', 'ben');
const move = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('approve' as const), who: approver, key: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('decline' as const), who: approver, key: fc.constant(false) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('withdraw' as const), who: fc.constantFrom('mia', 'eve'), key: fc.constant(false) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('expire' as const), who: fc.constant('product'), key: fc.constant(false) }) },
);
/** `moved`: its record is changed by another proposal before the race; `again`: how many propose it anew after it. */
const race = fc.record({
  moves: fc.array(move, { minLength: 2, maxLength: 6 }),
  moved: fc.nat({ max: 3 }).map((luck) => luck === 0),
  again: fc.integer({ min: 1, max: 3 }),
});

describe('A proposal on which people race on two servers', () => {
  let bench: Workbench;
  let urls: readonly string[];
  let eve: Client;
  let otto: Readonly<{ tenantId: string; workspaceId: string }>;
  beforeAll(async () => {
    bench = await startWorkbench();
    urls = [bench.url, (await bench.another()).url!];
    eve = await eveFor(bench.cast, bench.cast.mia);
    const { body } = await bench.cast.otto.get('/api/me');
    otto = { tenantId: body.tenant.id, workspaceId: body.workspaces[0].id };
  });
  afterAll(() => bench.stop());

  const eventsOf = async <E = Recorded<ProposalEvent>>(stream: string) =>
    (await bench.server.app.get(EventStore).readStream(stream)).events as E[];
  const expire = async (id: string): Promise<Told> => {
    const commandId = newId();
    const meta: CommandMeta = {
      ...otto,
      actor: systemPrincipal(otto.tenantId, otto.workspaceId),
      at: new Date(Date.now() + 48 * 3_600_000).toISOString(),
      commandId,
      requestDigest: '',
      correlationId: commandId,
      causationId: commandId,
    };
    const command: ProposalCommand = { type: 'ExpireConfirmation', data: {}, meta };
    try {
      const { revision } = await bench.server.app.get(CommandBus).execute(new HandleProposal(id, command));
      return { outcome: 'ok', revision: revision.toString() };
    } catch (error) {
      if (error instanceof DomainError) return { outcome: error.refusal.code };
      throw error;
    }
  };
  const changed = async (recordId: string) =>
    (await eventsOf<Recorded>(`record-${recordId}`)).filter(({ type }) => type === 'RecordChanged').length;
  const settled = (id: string) =>
    eventually(async () => {
      const events = await eventsOf(`proposal-${id}`);
      const open = events.some(({ type }) => type === 'ConfirmationApproved') && !events.some(({ type }) => type.startsWith('Mutation'));
      return !open && events;
    }, 30_000);

  it('is decided once and done once, and each is told who was first', async () => {
    const outcomes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(race, async ({ moves, moved, again }) => {
        const recordId = await createRecord(bench.cast, 'work_item', { title: 'Old' });
        const change = async (title: string) =>
          (await propose(eve, 'record.change', { recordId, changes: { title } })).body.confirmationId as string;
        const id = await change('New');
        const cards = new Map<string, string>();
        for (const name of ['ann', 'ben'] as const) {
          const { body } = await bench.cast[name].get(`/api/confirmations/${id}`);
          cards.set(name, body.confirmation_token as string);
        }
        if (moved) {
          const other = await change('Newer');
          expect((await decide(bench.cast.ben, other)).status).toBe(200);
          await settled(other);
        }
        const effects = await changed(recordId);

        const nonces = new Map([...cards].map(([name, token]) => [nonceOf(token), name]));
        const wishes = moves.map(({ kind, who }): Wish => (kind === 'approve' ? { kind, who, token: who } : { kind, who }));
        const before = await eventsOf(`proposal-${id}`);
        const key = newId();
        const answers = await Promise.all(
          moves.map(async ({ kind, who, key: keyed }, index): Promise<Told> => {
            if (kind === 'expire') return expire(id);
            const client = (who === 'eve' ? eve : bench.cast[who as 'ann']).at(urls[index % urls.length]!);
            if (kind === 'withdraw') return told(await client.post(`/api/proposals/${id}/withdraw`, { reason: 'race' }));
            if (kind === 'decline') return told(await client.post(`/api/confirmations/${id}/decline`, { reason: 'race' }));
            const body = { confirmation_token: cards.get(who) };
            return told(await client.post(`/api/confirmations/${id}/approve`, body, keyed ? { key } : {}));
          }),
        );
        const events = await settled(id);
        const model = judgeRace<Model, Wish, Recorded<ProposalEvent>>({
          before: { status: 'pending', moved },
          wishes,
          answers,
          events: events.slice(before.length),
          predict,
          follow: follow((nonce) => nonces.get(nonce)!),
          leaves,
          unasked: ({ type }) => type.startsWith('Mutation') || type === 'ConfirmationInvalidated',
        });
        expect(await changed(recordId)).toBe(effects + (model.status === 'approved' ? 1 : 0));
        wishes.forEach(({ kind }, index) => outcomes.add(`${kind} ${answers[index]!.outcome}`));

        const anew = await Promise.all(
          Array.from({ length: again }, (_, index) =>
            bench.cast[index % 2 ? 'ben' : 'ann'].at(urls[index % urls.length]!).post(`/api/confirmations/${id}/repropose`),
          ),
        );
        const may = model.status === 'expired' || model.status === 'stale';
        expect(anew.filter(({ status }) => status === 202)).toHaveLength(may ? 1 : 0);
        for (const { status, body } of anew) if (status !== 202) outcomes.add(`repropose ${body.code}`);
      }),
      runs(12),
    );
    expect([...outcomes]).toEqual(expect.arrayContaining(isLong ? ['approve ok', 'approve confirmation/decided'] : ['approve ok']));
  });
});

/** The nonce in a token's readable part. */
const nonceOf = (token: string): string =>
  (JSON.parse(Buffer.from(token.slice('wbt_'.length).split('.')[0]!, 'base64url').toString()) as { nonce: string }).nonce;
