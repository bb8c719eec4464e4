import type { OpenAPIObject } from '@nestjs/swagger';
import fc from 'fast-check';
import { undescribedProblems } from '#libs/http';
import { documentOf } from '../../apps/server/src/openapi.js';
import { requestsTo, type Samples } from '../support/openapi-arbitraries.js';
import { brokenPromises, deliver, operationsIn, type Operation } from '../support/openapi-operations.js';
import { countEvents } from '../support/stored-events.js';
import { createRecord, eveFor, propose, queueTask } from '../support/round-trip.js';
import { createRepository, type Repository } from '../support/repository.js';
import { startWorkbench, type Cast, type Workbench } from '../support/workbench.js';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 25);
const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000);
/** They would end what the others stand on. */
const ENDS_THE_WORLD = new Set(['DELETE /api/credentials/{id}', 'DELETE /api/workspaces/{id}']);

describe(`Whatever is sent to a route of the OpenAPI document (FUZZ_SEED=${SEED})`, () => {
  let bench: Workbench;
  let repository: Repository;
  let document: OpenAPIObject;
  let samples: Samples;
  let eve: Cast['eve'];
  beforeAll(async () => {
    bench = await startWorkbench();
    repository = createRepository();
    document = documentOf(bench.server.app);
    samples = await worthTrying(bench.cast, repository);
    eve = await eveFor(bench.cast, bench.cast.mia);
  });
  afterAll(async () => {
    await bench.stop();
    repository.remove();
  });
  const stored = () => countEvents(bench.server.app);

  it('is described: every code that a route names has its sentence', () => expect(undescribedProblems(document)).toEqual([]));

  it('is answered as the document says, never by a fault of ours, and what is refused as invalid stores nothing', async () => {
    const clients = [bench.cast.otto, bench.cast.ann, eve, bench.cast.ida, bench.cast.vera, bench.cast.mia];
    const credentials = clients.map(({ credential }) => ({ authorization: `Bearer ${credential}` }));
    const delegation = { 'workbench-delegation': (await bench.cast.mia.post('/api/delegations')).body.delegation as string };
    const tried = async (operation: Operation) => {
      await fc.assert(
        fc.asyncProperty(requestsTo(operation, document, samples), fc.constantFrom(...credentials), async (request, credential) => {
          const before = await stored();
          const headers = credential === credentials[2] ? { ...credential, ...delegation } : credential;
          const answer = await deliver(bench.url, request, headers);
          expect([operation.name, brokenPromises(operation, answer)]).toEqual([operation.name, []]);
          if ([400, 404, 413, 415, 422].includes(answer.status))
            expect([operation.name, answer.status, await stored()]).toEqual([operation.name, answer.status, before]);
        }),
        { numRuns: RUNS, seed: SEED },
      );
    };
    // Waiting for a position that never comes takes its 5 s each time, as it should; that has a test of its own.
    const operations = operationsIn(document)
      .filter(({ name }) => !ENDS_THE_WORLD.has(name))
      .map((operation) => ({ ...operation, parameters: operation.parameters.filter(({ name }) => name !== 'waitFor') }));
    expect(operations.length).toBeGreaterThan(45);
    for (const operation of operations) await tried(operation);
  }, 300_000);
});

/** Ids that lead into the routes instead of to their 404. */
const worthTrying = async (cast: Cast, repository: Repository): Promise<Samples> => {
  const { taskId, proposalId, auditId } = await queueTask(cast, repository);
  const leased = await cast.ida.post('/api/leases', { taskId });
  const recordId = await createRecord(cast, 'work_item', { title: 'Fuzzed' });
  const pending = await propose(await eveFor(cast, cast.mia), 'record.change', { recordId, changes: { title: 'Fuzzier' } });
  const { confirmation_token } = (await cast.ann.get(`/api/confirmations/${pending.body.confirmationId}`)).body;
  return {
    id: [recordId, taskId, proposalId, pending.body.confirmationId, leased.body.lease.leaseId],
    taskId: [taskId],
    auditId: [auditId],
    fence: ['1', '0', '9223372036854775807'],
    confirmation_token: [confirmation_token],
    operation: ['record.create', 'record.change', 'work.dispatch', 'records.archiveMany'],
    arguments: [
      { recordId, changes: { title: 'X' } },
      { kind: 'work_item', fields: { title: 'X' } },
      { recordIds: [recordId, recordId] },
      { recordId, work: {} },
    ],
  };
};
