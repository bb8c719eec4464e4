import { violations } from '#libs/audit';
import { createRepository, type Repository } from '../support/repository.js';
import { claim, implement, queueTask, receiptOf, ship, verify } from '../support/round-trip.js';
import { startWorkbench, type Workbench } from '../support/workbench.js';
import { allEvents } from '../support/stored-events.js';

describe('The round trip', () => {
  let bench: Workbench;
  let repository: Repository;
  beforeAll(async () => {
    bench = await startWorkbench();
    repository = createRepository();
  });
  afterAll(async () => {
    await bench.stop();
    repository.remove();
  });

  it('goes from a request to a receipt that member and operator see', async () => {
    const { cast } = bench;
    const { taskId, auditId } = await queueTask(cast, repository);
    const leased = await claim(cast.ida, taskId);
    expect(leased).toMatchObject({
      status: 200,
      body: { lease: { taskId, fence: '1', leaseId: `${taskId}.1` }, work: { paths: ['src'] }, auditId },
    });
    const reported = await implement(cast.ida, repository, leased.body.lease);
    expect(reported).toMatchObject({ status: 200, body: { status: 'reported' } });
    expect(await verify(cast.vera, taskId)).toMatchObject({ status: 200, body: { status: 'verified' } });
    expect(await ship(cast.otto, taskId, reported.revision)).toMatchObject({ status: 200 });

    const { receiptId } = await receiptOf(cast.mia, taskId);
    expect((await cast.otto.get(`/api/receipts/${receiptId}`)).status).toBe(200);
    expect((await cast.ian.get(`/api/receipts/${receiptId}`)).status).toBe(404);

    const lineage = (await cast.otto.get(`/api/audit/${auditId}`)).body.items as { type: string }[];
    expect(lineage.map(({ type }) => type)).toEqual([
      'ProposalSubmitted',
      'ConfirmationApproved',
      'RecordChanged',
      'MutationCommitted',
      'TaskQueued',
      'LeaseGranted',
      'WorkReported',
      'VerificationGranted',
      'WorkVerified',
      'WorkShipped',
      'ReceiptIssued',
    ]);
  });

  it('leaves events that alone prove that nobody did what their role forbids', async () => {
    const events = await allEvents(bench.server.app);
    expect(events.length).toBeGreaterThan(20);
    expect(violations(events)).toEqual([]);
  });
});
