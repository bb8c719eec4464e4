import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { eventually } from '../support/eventually.js';
import { createSite, type ServerProcess, type Site } from '../support/processes.js';
import { createRecord, decide, eveFor, propose } from '../support/round-trip.js';

const CRASHING = path.join(__dirname, 'crash-before.mjs');

// Several processes start and stop in each test.
jest.setTimeout(240_000);

describe('A server killed between an approval and its mutation', () => {
  let site: Site;
  let marker: string;
  let directory: string;
  beforeEach(async () => {
    site = await createSite();
    directory = mkdtempSync(path.join(os.tmpdir(), 'workbench-crash-'));
    marker = path.join(directory, 'crashed');
  });
  afterEach(async () => {
    await site.remove();
    rmSync(directory, { recursive: true, force: true });
  });
  const crashing = (at: string) => site.start({ WORKBENCH_MAIN: CRASHING, WORKBENCH_CRASH: at, WORKBENCH_CRASHED: marker });

  /** A record, and a change of it that is approved on a server which dies at `at`. */
  const approveAndDie = async (at: string) => {
    const calm = await site.start();
    const recordId = await createRecord(site.cast(calm), 'work_item', { title: 'Old' });
    await calm.kill();
    const doomed = await crashing(at);
    const cast = site.cast(doomed);
    const { body } = await propose(await eveFor(cast, cast.mia), 'record.change', { recordId, changes: { title: 'New' } });
    await decide(cast.ann, body.confirmationId as string).catch(() => undefined);
    await eventually(() => existsSync(marker) && doomed.child.signalCode === 'SIGKILL');
    return { recordId, confirmationId: body.confirmationId as string };
  };
  const history = async (server: ServerProcess, recordId: string): Promise<{ type: string; changes?: { title?: { after: string } } }[]> =>
    (await site.cast(server).mia.get(`/api/records/${recordId}/history`)).body.items;
  const settled = (server: ServerProcess, confirmationId: string) =>
    eventually(async () => {
      const { status } = (await site.cast(server).ann.get(`/api/confirmations/${confirmationId}`)).body.card;
      return status !== 'approved' && (status as string);
    });

  it('before the record changed carries the change out once after its restart', async () => {
    const { recordId, confirmationId } = await approveAndDie('before:RecordChanged');
    const server = await site.start();
    expect(await settled(server, confirmationId)).toBe('committed');
    expect((await history(server, recordId)).map(({ type }) => type)).toEqual(['RecordCreated', 'RecordChanged']);
  });

  it('after the record changed commits it after its restart, although somebody edited the record in between', async () => {
    const { recordId, confirmationId } = await approveAndDie('before:MutationCommitted');
    // A second server that answers but does not work: the edit lands while the first approval still waits for its receipt.
    const api = await site.start({ WORKBENCH_ROLES: 'api' });
    const cast = site.cast(api);
    const { body } = await propose(await eveFor(cast, cast.mia), 'record.change', { recordId, changes: { priority: 'high' } });
    // Nobody may wait for the receipt here: there is no worker yet that could give one.
    expect(await decide(cast.ben, body.confirmationId as string)).toMatchObject({
      status: 200,
      body: { pending: { poll: expect.any(String) } },
    });
    expect((await history(api, recordId)).map(({ type }) => type)).toEqual(['RecordCreated', 'RecordChanged']);

    const worker = await site.start({ WORKBENCH_ROLES: 'worker' });
    expect(await settled(api, confirmationId)).toBe('committed');
    expect(await settled(api, body.confirmationId as string)).toBe('committed');
    const changes = (await history(api, recordId)).filter(({ type }) => type === 'RecordChanged');
    expect(changes.map((change) => Object.keys(change.changes!))).toEqual([['title'], ['priority']]);
    expect(worker.output()).not.toMatch(/MutationFailed/);
  });

  it('after its receipt was stored says so after its restart, once', async () => {
    const { recordId, confirmationId } = await approveAndDie('after:MutationCommitted');
    const server = await site.start();
    expect(await settled(server, confirmationId)).toBe('committed');
    expect((await history(server, recordId)).map(({ type }) => type)).toEqual(['RecordCreated', 'RecordChanged']);
  });
});
