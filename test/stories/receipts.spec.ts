import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import { auditReactors, ReceiptKey, verify, verifyReceipt, violations } from '#libs/audit';
import { EventStore, type Recorded } from '#libs/kernel';
import { demo } from '../../apps/server/src/demo/demo.js';
import type { Client } from '../support/client.js';
import { claim, implement, queueTask, receiptOf, ship, verify as judge } from '../support/round-trip.js';
import { createRepository, type Repository } from '../support/repository.js';
import { startWorkbench, type Workbench } from '../support/workbench.js';
import { allEvents } from '../support/stored-events.js';

describe('A receipt', () => {
  let bench: Workbench;
  let repository: Repository;
  let shipped: { taskId: string; receiptId: string; auditId: string; revision: string };
  beforeAll(async () => {
    bench = await startWorkbench();
    repository = createRepository();
    const { cast } = bench;
    const { taskId, auditId } = await queueTask(cast, repository);
    const { lease } = (await claim(cast.ida, taskId)).body;
    const { revision } = await implement(cast.ida, repository, lease);
    await judge(cast.vera, taskId);
    await ship(cast.otto, taskId, revision);
    shipped = { taskId, auditId, revision, receiptId: (await receiptOf(cast.mia, taskId)).receiptId };
  });
  afterAll(async () => {
    await bench.stop();
    repository.remove();
  });

  const bytesFor = async (reader: Client): Promise<Buffer> => {
    const response = await fetch(`${bench.url}/api/receipts/${shipped.receiptId}`, {
      headers: { authorization: `Bearer ${reader.credential}`, accept: 'application/vnd.dsse+json' },
    });
    expect(response.headers.get('content-type')).toContain('application/vnd.dsse+json');
    return Buffer.from(await response.arrayBuffer());
  };
  const servedKey = async (reader: Client): Promise<KeyObject> =>
    createPublicKey((await reader.get<{ pem: string }>('/api/receipts/key')).body.pem);

  it('verifies, as served, under the key as served, and names what was shipped under the one audit id', async () => {
    const { mia, ida } = bench.cast;
    const artifact = repository.artifact('src/greet.mjs');
    const statement = verify(await bytesFor(mia), await servedKey(mia), () => readFileSync(path.join(repository.directory, artifact.path)));
    expect(statement.subject).toEqual([
      { name: repository.directory, digest: { gitCommit: shipped.revision } },
      { name: artifact.path, digest: { sha256: artifact.sha256 } },
    ]);
    expect(statement.predicate).toMatchObject({ auditId: shipped.auditId, taskId: shipped.taskId, receiptId: shipped.receiptId });
    expect((await ida.get('/api/receipts/key')).status).toBe(403);
  });
  it('names the events as they are in the store, by their content hash', async () => {
    const { statement } = (await bench.cast.otto.get(`/api/receipts/${shipped.receiptId}`)).body;
    const { items } = (await bench.cast.otto.get(`/api/audit/${shipped.auditId}`)).body;
    const hashes = Object.fromEntries(
      (items as { eventId: string; contentHash: string }[]).map((item) => [item.eventId, item.contentHash]),
    );
    for (const { fact } of Object.values(statement.predicate.chain as Record<string, { fact: { eventId: string; contentHash: string } }>))
      expect(hashes[fact.eventId]).toBe(fact.contentHash);
  });
  it('is listed for whoever asked and for operators, and for nobody else', async () => {
    const listed = async (reader: Client) =>
      ((await reader.get('/api/receipts')).body.items as { receiptId: string }[]).map(({ receiptId }) => receiptId);
    expect(await listed(bench.cast.mia)).toEqual([shipped.receiptId]);
    expect(await listed(bench.cast.otto)).toEqual([shipped.receiptId]);
    expect(await listed(bench.cast.ian)).toEqual([]);
    expect(await bench.cast.ann.get(`/api/receipts/${shipped.receiptId}`)).toMatchObject({
      status: 404,
      body: { code: 'receipt/not-found' },
    });
  });
  it('shows its lineage page by page to operators only', async () => {
    const { otto, mia } = bench.cast;
    const first = (await otto.get(`/api/audit/${shipped.auditId}?limit=4`)).body;
    const second = (await otto.get(`/api/audit/${shipped.auditId}?limit=200&cursor=${first.next}`)).body;
    const positions = [...first.items, ...second.items].map(({ position }: { position: string }) => BigInt(position));
    expect(positions).toHaveLength(11);
    expect(positions).toEqual([...positions].sort((a, b) => (a < b ? -1 : 1)));
    expect(JSON.stringify(first)).not.toContain('"data"');
    expect((await mia.get(`/api/audit/${shipped.auditId}`)).status).toBe(403);
    expect(await otto.get(`/api/audit/${shipped.taskId}`)).toMatchObject({ status: 404, body: { code: 'audit/not-found' } });
  });
  it('is issued once, with the same bytes, however often its reactor runs', async () => {
    const { app } = bench.server;
    const store = app.get(EventStore);
    const before = await bytesFor(bench.cast.otto);
    const events = async () => (await store.readStream(`task-${shipped.taskId}`)).events;
    const event = (await events()).find(({ type }) => type === 'WorkShipped') as Recorded;
    const context = { store, now: () => new Date().toISOString(), signal: new AbortController().signal };
    // Two servers that each believe to be the one, and a key that each reads for itself.
    const reactors = [1, 2].flatMap(() => auditReactors(app.get(CommandBus), app.get(ReceiptKey)));
    await Promise.all(reactors.map((reactor) => reactor.react(event, context)));
    expect((await events()).filter(({ type }) => type === 'ReceiptIssued')).toHaveLength(1);
    expect((await bytesFor(bench.cast.otto)).equals(before)).toBe(true);
  });

  describe('of the demo', () => {
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(path.join(os.tmpdir(), 'workbench-demo-'));
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it('verifies offline from what a run saved, a second time too, and not when an artifact was touched', async () => {
      const credentials = bench.server.credentials;
      mkdirSync(path.join(folder, 'data'));
      writeFileSync(path.join(folder, 'data/credentials.json'), JSON.stringify({ url: bench.url, credentials }));
      const environment = { WORKBENCH_DATA: path.join(folder, 'data') };
      const said = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
      const codes = [await demo(environment, folder), await demo(environment, folder)];
      said.mockRestore();
      expect(codes).toEqual([0, 0]);
      // The events alone prove that nobody wrote what their role forbids, the demo's included.
      const events = await allEvents(bench.server.app);
      expect(events.filter(({ type }) => type === 'ReceiptIssued').length).toBeGreaterThanOrEqual(3);
      expect(violations(events)).toEqual([]);

      const runs = readdirSync(path.join(folder, 'demo-out'));
      expect(runs).toHaveLength(2);
      const last = path.join(folder, 'demo-out', runs[1]!);
      const judged = () => verifyReceipt(['receipt.dsse.json', '--key', 'receipt-key.pem'], last, () => undefined);
      expect(judged()).toBe(0);
      const [artifact] = readdirSync(path.join(last, 'artifacts'));
      writeFileSync(path.join(last, 'artifacts', artifact!), 'export const add = () => 5;\n');
      expect(judged()).toBe(1);
    });
    it('is missing, with a sentence that says why, where no server answers', async () => {
      writeFileSync(path.join(folder, 'nobody.json'), JSON.stringify({ url: 'http://127.0.0.1:9', credentials: bench.server.credentials }));
      const said: string[] = [];
      const spy = jest.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
      const quiet = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
      expect(await demo({ WORKBENCH_CREDENTIALS: path.join(folder, 'nobody.json') }, folder)).toBe(1);
      expect(await demo({ WORKBENCH_CREDENTIALS: path.join(folder, 'nothing.json') }, folder)).toBe(1);
      spy.mockRestore();
      quiet.mockRestore();
      expect(said.join('')).toMatch(
        /No server answers at http:\/\/127\.0\.0\.1:9.*npm start[^]*No credentials in .*nothing\.json.*npm start/,
      );
    });
  });
});
