import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { completeDocument, faultsOfDto, undescribedProblems } from '#libs/http';
import { sha256 } from '#libs/kernel';
import {
  ClaimedAnswer,
  JudgedAnswer,
  LeaseAsItIs,
  RenewedAnswer,
  ReportedAnswer,
  ShippedAnswer,
  StatusAnswer,
  TaskAnswer,
  TaskItem,
  VerificationBriefAnswer,
  VerificationClaimedAnswer,
  VerificationItem,
} from './answers.js';
import { startWork, type WorkServer } from './testing/work-server.js';
import { work } from './testing/tasks.js';

jest.setTimeout(60_000);

describe('The documentation of work', () => {
  let server: WorkServer;
  beforeAll(async () => (server = await startWork()));
  afterAll(() => server.close());

  it('describes every route, its answer, and every refusal', () => {
    const document = completeDocument(SwaggerModule.createDocument(server.app, new DocumentBuilder().build()));
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, { tags?: string[]; summary?: string; responses: Record<string, { content?: object }> }>)
        .filter(([, { tags }]) => tags?.some((tag) => ['tasks', 'leases', 'verifications', 'artifacts'].includes(tag)))
        .map(([method, operation]) => ({ route: `${method.toUpperCase()} ${path}`, ...operation })),
    );
    expect(operations.map(({ route }) => route).sort()).toEqual([
      'GET /api/artifacts/{sha256}',
      'GET /api/leases/{id}',
      'GET /api/queue',
      'GET /api/tasks',
      'GET /api/tasks/{id}',
      'GET /api/tasks/{id}/timeline',
      'GET /api/verifications',
      'GET /api/verifications/{taskId}/brief',
      'POST /api/leases',
      'POST /api/leases/{id}/release',
      'POST /api/leases/{id}/renew',
      'POST /api/leases/{id}/report',
      'POST /api/leases/{id}/revoke',
      'POST /api/tasks/{id}/block',
      'POST /api/tasks/{id}/cancel',
      'POST /api/tasks/{id}/requeue',
      'POST /api/tasks/{id}/ship',
      'POST /api/tasks/{id}/unblock',
      'POST /api/verifications/{taskId}/claim',
      'POST /api/verifications/{taskId}/release',
      'POST /api/verifications/{taskId}/renew',
      'POST /api/verifications/{taskId}/verdict',
      'PUT /api/artifacts/{sha256}',
    ]);
    for (const { route, summary, responses } of operations) {
      expect([route, summary]).toEqual([route, expect.any(String)]);
      expect([route, Object.values(responses['200']?.content ?? {})]).toEqual([route, [{ schema: expect.anything() as object }]]);
    }
    expect(undescribedProblems(document)).toEqual([]);
  });

  it('is what the routes answer', async () => {
    const [ida, vera, otto] = [server.as('ida'), server.as('vera'), server.as('otto')];
    const is = async (type: Parameters<typeof faultsOfDto>[0], { status, body }: { status: number; body: Record<string, unknown> }) => {
      expect(status).toBe(200);
      const { id: _i, position: _p, auditId, revision, ...rest } = body;
      const documented =
        type === TaskAnswer ? { ...rest, auditId, revision } : type === TaskItem || type === VerificationItem ? { ...rest, auditId } : rest;
      expect(await faultsOfDto(type, documented)).toEqual([]);
      return body;
    };
    const first = ({ status, body }: { status: number; body: { items: Record<string, unknown>[] } }) => ({
      status,
      body: body.items[0]!,
    });

    const taskId = await server.queue();
    await is(TaskItem, first(await ida.get('/api/queue')));
    await is(TaskAnswer, await otto.get(`/api/tasks/${taskId}`));
    await is(ClaimedAnswer, await ida.post('/api/leases', { taskId }));
    await is(RenewedAnswer, await ida.post(`/api/leases/${taskId}.1/renew`, { fence: '1' }));
    await is(StatusAnswer, await ida.post(`/api/tasks/${taskId}/block`, { fence: '1', question: 'Which?' }));
    await is(LeaseAsItIs, await ida.get(`/api/leases/${taskId}.1`));
    await is(TaskAnswer, await otto.get(`/api/tasks/${taskId}`));
    await is(StatusAnswer, await otto.post(`/api/tasks/${taskId}/unblock`, { answer: 'This' }));
    const atom = (check: string) => ({ check, status: 'passed', exitCode: 0, outputSha256: sha256('fine'), durationMs: 1, testsRun: 2 });
    const shared = {
      changedPaths: [{ path: 'src/b', from: 'src/a', change: 'renamed' }],
      evidence: work.checks.map((_, index) => atom(String(index))),
    };
    const artifacts = [{ path: 'src/b', mediaType: 'text/plain', size: 1, sha256: sha256('b'), commit: 'c'.repeat(40) }];
    const report = { fence: '1', revision: 'c'.repeat(40), artifacts, summary: 'Done.', ...shared };
    const { reportDigest } = await is(ReportedAnswer, await ida.post(`/api/leases/${taskId}.1/report`, report));
    await is(LeaseAsItIs, await ida.get(`/api/leases/${taskId}.1`));
    await is(VerificationClaimedAnswer, await vera.post(`/api/verifications/${taskId}/claim`));
    await is(VerificationBriefAnswer, await vera.get(`/api/verifications/${taskId}/brief`));
    await is(RenewedAnswer, await vera.post(`/api/verifications/${taskId}/renew`, { fence: '2' }));
    await vera.put(`/api/artifacts/${sha256('fine')}`, 'fine');
    const judged = {
      fence: '2',
      reportDigest,
      verdict: 'verified',
      findings: [{ code: 'note', detail: 'Fine.', path: 'src/b' }],
      tree: 'd'.repeat(40),
      ...shared,
    };
    const { position } = await is(JudgedAnswer, await vera.post(`/api/verifications/${taskId}/verdict`, judged));
    await is(TaskItem, first(await otto.get(`/api/tasks?status=verified&waitFor=${String(position)}`)));
    await is(ShippedAnswer, await otto.post(`/api/tasks/${taskId}/ship`, { revision: 'c'.repeat(40), url: 'https://example.org' }));
    await is(TaskAnswer, await otto.get(`/api/tasks/${taskId}`));

    const other = await server.queue();
    await ida.post('/api/leases', { taskId: other });
    const handed = await ida.post(`/api/leases/${other}.1/report`, report);
    await is(VerificationItem, first(await vera.get(`/api/verifications?waitFor=${handed.body.position}`)));
  });
});
