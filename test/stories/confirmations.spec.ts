import { createHash } from 'node:crypto';
import { canonicalJson, EventStore } from '#libs/kernel';
import { countEvents } from '../support/stored-events.js';
import { eventually } from '../support/eventually.js';
import { approve, createRecord, eveFor, propose, SITE_WORK as work } from '../support/round-trip.js';
import { startWorkbench, type Workbench } from '../support/workbench.js';
import type { Client } from '../support/client.js';

describe('A confirmation', () => {
  let bench: Workbench;
  let eve: Client;
  beforeAll(async () => {
    bench = await startWorkbench();
    eve = await eveFor(bench.cast, bench.cast.mia);
  });
  afterAll(() => bench.stop());

  const eventsOf = async (stream: string) => (await bench.server.app.get(EventStore).readStream(stream)).events;
  const total = () => countEvents(bench.server.app);
  const pending = async (title = 'Old'): Promise<{ recordId: string; confirmationId: string }> => {
    const recordId = await createRecord(bench.cast, 'work_item', { title });
    const { body } = await propose(eve, 'record.change', { recordId, changes: { title: 'New' } });
    return { recordId, confirmationId: body.confirmationId };
  };

  it('shows every field that people decide by, from the store and not from the model', async () => {
    const { cast } = bench;
    const recordId = await createRecord(cast, 'work_item', { title: 'Old', description: 'As it was' });
    const { body } = await propose(eve, 'work.dispatch', { recordId, work });
    const { body: shown, headers } = await cast.ann.get(`/api/confirmations/${body.confirmationId}`);
    expect(shown.card).toMatchObject({
      operation: { name: 'work.dispatch', summary: 'Dispatch the work item "Old"', riskClass: 'write', reversible: true, queuesWork: true },
      target: { kind: 'work_item', id: recordId, title: 'Old', revision: '0' },
      changes: [{ field: 'status', label: 'Status', before: 'open', after: 'in_progress' }],
      reason: 'Because it helps.',
      agent: { name: 'Eve' },
      requester: { name: 'Mia Member' },
      tenant: { name: 'Demo' },
      workspace: { name: 'Main' },
      risk: { class: 'write', level: 1, why: expect.stringMatching(/scope/) },
      mode: 'supervised',
      warnings: [],
      conflict: { stale: false },
      idempotency: { commandId: expect.any(String) },
      outcomes: { approve: expect.stringMatching(/queued/), decline: expect.stringMatching(/Nothing changes/) },
      work: { ...work, queue: 'code', scopeDigest: createHash('sha256').update(canonicalJson(work)).digest('hex') },
      actionDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
      presentedDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
      auditId: body.auditId,
      actions: ['approve', 'decline'],
      status: 'pending',
    });
    expect(Date.parse(shown.card.approvalExpiresAt) - Date.parse(shown.card.submittedAt)).toBe(24 * 3_600_000);
    expect(shown.confirmation_token).toMatch(/^wbt_/);
    expect(headers.get('etag')).toBe('"0"');
  });

  it('stays the same however often its card is read', async () => {
    const { confirmationId } = await pending();
    const before = await total();
    for (let batch = 0; batch < 20; batch++)
      await Promise.all(Array.from({ length: 50 }, () => bench.cast.ann.get(`/api/confirmations/${confirmationId}`)));
    expect(await total()).toBe(before);
  });

  it('gives a token only to who may approve it', async () => {
    const { confirmationId } = await pending();
    const of = async (client: Client) => (await client.get(`/api/confirmations/${confirmationId}`)).body;
    expect(await of(bench.cast.mia)).toMatchObject({ card: { actions: ['withdraw'] } });
    expect((await of(bench.cast.mia)).confirmation_token).toBeUndefined();
    expect((await of(bench.cast.otto)).confirmation_token).toBeUndefined();
    expect((await bench.cast.ian.get(`/api/confirmations/${confirmationId}`)).status).toBe(404);
  });

  it('of 20 approvals at once takes one, and tells the others who decided, when and what', async () => {
    const { confirmationId, recordId } = await pending();
    const tokens = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const approver = index % 2 === 0 ? bench.cast.ann : bench.cast.ben;
        return { approver, token: (await approver.get(`/api/confirmations/${confirmationId}`)).body.confirmation_token as string };
      }),
    );
    const answers = await Promise.all(
      tokens.map(({ approver, token }) => approver.post(`/api/confirmations/${confirmationId}/approve`, { confirmation_token: token })),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(19);
    for (const { status, body } of refused)
      expect({ status, body }).toMatchObject({
        status: 409,
        body: {
          code: 'confirmation/decided',
          decision: 'approved',
          by: { name: expect.stringMatching(/Approver/) },
          at: expect.any(String),
        },
      });
    expect((await eventsOf(`proposal-${confirmationId}`)).map(({ type }) => type)).toEqual([
      'ProposalSubmitted',
      'ConfirmationApproved',
      'MutationCommitted',
    ]);
    expect((await eventsOf(`record-${recordId}`)).map(({ type }) => type)).toEqual(['RecordCreated', 'RecordChanged']);
  });

  it('takes a token once, and only from the viewer to whom it was shown', async () => {
    const { confirmationId } = await pending();
    const { confirmation_token } = (await bench.cast.ann.get(`/api/confirmations/${confirmationId}`)).body;
    const path = `/api/confirmations/${confirmationId}/approve`;
    expect(await bench.cast.ben.post(path, { confirmation_token })).toMatchObject({
      status: 403,
      body: { code: 'confirmation/token-invalid' },
    });
    expect(await bench.cast.ann.post(path, { confirmation_token: `${confirmation_token}x` })).toMatchObject({
      status: 403,
      body: { code: 'confirmation/token-invalid' },
    });
    expect(await bench.cast.ann.post(path, { confirmation_token })).toMatchObject({ status: 200 });
    expect(await bench.cast.ann.post(path, { confirmation_token })).toMatchObject({
      status: 409,
      body: { code: 'confirmation/token-used' },
    });
  });

  it('answers a repeated approval as it did the first time', async () => {
    const { confirmationId } = await pending();
    const { confirmation_token } = (await bench.cast.ann.get(`/api/confirmations/${confirmationId}`)).body;
    const send = (body: object) => bench.cast.ann.post(`/api/confirmations/${confirmationId}/approve`, body, { key: 'my-approval' });
    const first = await send({ confirmation_token });
    expect(await send({ confirmation_token })).toMatchObject({
      status: 200,
      body: { position: first.body.position, decision: 'approved' },
    });
    expect(await send({ confirmation_token: `${confirmation_token}`.replace('wbt_', 'wbt_x') })).toMatchObject({ status: 403 });
  });

  it('that is declined changes nothing, and its reason reaches the agent whole', async () => {
    const { confirmationId, recordId } = await pending();
    const reason = 'Use dist/ — not src/ 👩‍👩‍👧 \u202eabc';
    expect(await bench.cast.ann.post(`/api/confirmations/${confirmationId}/decline`, { reason: '' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/reason' }] },
    });
    expect(await bench.cast.ann.post(`/api/confirmations/${confirmationId}/decline`, { reason })).toMatchObject({
      status: 200,
      body: { decision: 'declined' },
    });
    expect((await eve.get(`/api/proposals/${confirmationId}`)).body).toMatchObject({
      status: 'declined',
      card: { decision: { outcome: 'declined', reason, by: { name: 'Ann Approver' } } },
    });
    expect(await eventsOf(`record-${recordId}`)).toHaveLength(1);
  });

  it('that went stale is refused, says what moved, and can be proposed again on the present state', async () => {
    const { confirmationId, recordId } = await pending();
    const other = await propose(eve, 'record.change', { recordId, changes: { priority: 'high' } });
    const { confirmation_token } = (await bench.cast.ann.get(`/api/confirmations/${confirmationId}`)).body;
    await approve(bench.cast.ben, other.body.confirmationId as string);

    const stale = await bench.cast.ann.get(`/api/confirmations/${confirmationId}`);
    expect(stale.body).toMatchObject({
      card: {
        status: 'pending',
        conflict: { stale: true, moved: [{ id: recordId, shownRevision: '0', presentRevision: '1' }] },
        actions: ['decline', 'repropose'],
      },
    });
    expect(stale.body.confirmation_token).toBeUndefined();
    expect(await bench.cast.ann.post(`/api/confirmations/${confirmationId}/approve`, { confirmation_token })).toMatchObject({
      status: 409,
      body: { code: 'confirmation/stale', detail: expect.stringMatching(/repropose/), moved: [{ id: recordId, presentRevision: '1' }] },
    });
    const both = await Promise.all(
      [bench.cast.ann, bench.cast.ben].map((one) => one.post(`/api/confirmations/${confirmationId}/repropose`)),
    );
    const [again, late] = both.sort((a, b) => a.status - b.status) as [(typeof both)[0], (typeof both)[0]];
    expect(late).toMatchObject({
      status: 409,
      body: { code: expect.stringMatching(/^proposal\/(exists|not-reproposable)$/) },
    });
    expect(again).toMatchObject({
      status: 202,
      body: { status: 'pending', supersedes: confirmationId, card: { target: { revision: '1' }, requester: { name: 'Mia Member' } } },
    });
    await eventually(async () => (await bench.cast.ann.get(`/api/confirmations/${confirmationId}`)).body.card.status === 'superseded');
    expect(await approve(bench.cast.ann, again.body.confirmationId as string)).toMatchObject({ status: 200 });
    expect((await bench.cast.mia.get(`/api/records/${recordId}`)).body.fields).toMatchObject({ title: 'New', priority: 'high' });
  });

  it('lists riskiest and oldest first, page by page, and shows members their own', async () => {
    const { cast } = bench;
    const ids: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await cast.ann.get(`/api/confirmations?status=pending&limit=3${cursor && `&cursor=${cursor}`}`);
      ids.push(...body.items.map((card: { confirmationId: string }) => card.confirmationId));
      if (body.next === null) break;
      cursor = body.next;
    }
    const all = (await cast.ann.get('/api/confirmations?status=pending&limit=200')).body.items as {
      confirmationId: string;
      risk: { level: number };
      submittedAt: string;
    }[];
    expect(ids).toEqual(all.map(({ confirmationId }) => confirmationId));
    expect(new Set(ids).size).toBe(ids.length);
    const order = all.map(({ risk, submittedAt }) => `${9 - risk.level} ${submittedAt}`);
    expect(order).toEqual([...order].sort());
    expect((await cast.ian.get('/api/confirmations')).body.items).toEqual([]);
    expect((await cast.mia.get('/api/confirmations?status=pending&limit=200')).body.items.length).toBe(all.length);
  });

  it('is withdrawn by the one who asked', async () => {
    const { confirmationId } = await pending();
    // Whose it is not to see learns nothing by asking; who sees it is told whose it is.
    expect(await bench.cast.ian.post(`/api/proposals/${confirmationId}/withdraw`, { reason: 'no' })).toMatchObject({
      status: 404,
      body: { code: 'proposal/not-found' },
    });
    expect(await bench.cast.ann.post(`/api/proposals/${confirmationId}/withdraw`, { reason: 'no' })).toMatchObject({
      status: 403,
      body: { code: 'proposal/not-yours' },
    });
    expect(await bench.cast.mia.post(`/api/proposals/${confirmationId}/withdraw`, { reason: 'I changed my mind' })).toMatchObject({
      status: 200,
      body: { status: 'withdrawn' },
    });
    expect(await approve(bench.cast.ann, confirmationId)).toMatchObject({ status: 403 });
  });
});
