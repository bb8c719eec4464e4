import { sha256 } from '#libs/kernel';
import { eventually } from '../../../test/support/eventually.js';
import { Client } from '../../../test/support/client.js';
import { testRepository, type TestRepository } from './testing/repository.js';
import { startWork, type WorkServer } from './testing/work-server.js';
import { inspectReport } from './verifications/git-inspection.js';
import { WorkSettings } from './work-settings.js';

jest.setTimeout(60_000);

const GREET = 'export const greet = (name) => `Hello ${name}`;\n';

describe('Work', () => {
  let server: WorkServer;
  let repository: TestRepository;
  let base: string;
  let revision: string;
  beforeAll(async () => {
    repository = testRepository();
    base = repository.commit({ 'src/greet.js': 'export const greet = () => "Hello";\n' });
    revision = repository.commit({ 'src/greet.js': GREET });
    server = await startWork({ settings: new WorkSettings(900_000, [repository.path]) });
  });
  afterAll(async () => {
    await server.close();
    repository.remove();
  });

  const scope = () => ({
    repository: repository.path,
    baseRevision: base,
    paths: ['src'],
    commands: [],
    checks: [['node', '-e', 'console.log("fine")']],
    criteria: ['It greets by name.'],
  });
  const report = (over: object = {}) => ({
    fence: '1',
    revision,
    artifacts: [{ path: 'src/greet.js', mediaType: 'text/javascript', size: GREET.length, sha256: sha256(GREET), commit: revision }],
    changedPaths: [{ path: 'src/greet.js', change: 'modified' }],
    evidence: [],
    summary: 'It greets by name now.',
    ...over,
  });
  const leased = async (client: Client = server.as('ida'), body: object = {}): Promise<string> => {
    const taskId = await server.queue({ work: scope() });
    expect(await client.post('/api/leases', { taskId, ...body })).toMatchObject({ status: 200, body: { fence: '1' } });
    return taskId;
  };
  const reported = async (client: Client = server.as('ida'), body: object = {}) => {
    const taskId = await leased(client, body);
    const answer = await client.post(`/api/leases/${taskId}.1/report`, report());
    expect(answer).toMatchObject({ status: 200, body: { status: 'reported', taskId } });
    return { taskId, reportDigest: answer.body.reportDigest as string, position: answer.body.position as string };
  };
  const judge = async (verifier: Client, taskId: string, reportDigest: string, over: object = {}) => {
    const { body: brief } = await verifier.get(`/api/verifications/${taskId}/brief`);
    const { outputs, findings, evidence, changedPaths, tree } = await inspectReport(repository.path, brief.work, brief.report);
    for (const { sha256: digest, bytes } of outputs) await verifier.put(`/api/artifacts/${digest}`, bytes);
    const verdict = {
      fence: brief.fence,
      reportDigest,
      verdict: findings.length > 0 ? 'rejected' : 'verified',
      findings,
      evidence,
      changedPaths,
      tree,
    };
    return verifier.post(`/api/verifications/${taskId}/verdict`, { ...verdict, ...over });
  };
  const status = async (taskId: string) => (await server.as('otto').get(`/api/tasks/${taskId}`)).body.status as string;

  it('goes from lease to report, independent verification from git, and shipping', async () => {
    const [ida, vera, otto] = [server.as('ida'), server.as('vera'), server.as('otto')];
    const { taskId, reportDigest, position } = await reported();
    expect((await vera.get(`/api/verifications?waitFor=${position}`)).body.items).toContainEqual(
      expect.objectContaining({ taskId, status: 'reported', reportDigest }),
    );
    expect(await vera.post(`/api/verifications/${taskId}/claim`)).toMatchObject({
      status: 200,
      body: { lease: { leaseId: `${taskId}.2`, kind: 'verification' }, fence: '2', reportDigest, report: { revision }, work: scope() },
    });
    expect(await vera.post(`/api/verifications/${taskId}/renew`, { fence: '2' })).toMatchObject({
      status: 200,
      body: { lease: { fence: '2' } },
    });
    expect(await judge(vera, taskId, reportDigest)).toMatchObject({ status: 200, body: { status: 'verified' } });

    const shipped = await otto.post(`/api/tasks/${taskId}/ship`, { revision, url: 'https://example.org/merge/1' });
    expect(shipped).toMatchObject({ status: 200, body: { status: 'shipped', pending: { poll: `/api/tasks/${taskId}` } } });
    expect(await otto.get(`/api/tasks/${taskId}`)).toMatchObject({
      body: {
        status: 'shipped',
        report: { reportDigest, by: { name: 'Ida Implementer' }, artifacts: [{ sha256: sha256(GREET) }] },
        verdict: { verdict: 'verified', by: { name: 'Vera Verifier' }, evidence: [{ provenance: 'server_rerun', status: 'passed' }] },
        shipment: { revision, url: 'https://example.org/merge/1', tree: repository.run('rev-parse', `${revision}^{tree}`) },
      },
    });
    const { body } = await otto.get(`/api/tasks/${taskId}/timeline`);
    expect(body.items.map(({ type }: { type: string }) => type)).toEqual([
      'TaskQueued',
      'LeaseGranted',
      'WorkReported',
      'VerificationGranted',
      'LeaseRenewed',
      'WorkVerified',
      'WorkShipped',
    ]);
    await eventually(async () =>
      (await ida.get('/api/tasks?status=shipped')).body.items.some((one: { taskId: string }) => one.taskId === taskId),
    );
  });

  it('ships another commit only with the identical tree', async () => {
    const { taskId, reportDigest } = await reported();
    await server.as('vera').post(`/api/verifications/${taskId}/claim`);
    await judge(server.as('vera'), taskId, reportDigest);
    repository.run('checkout', '--quiet', '-b', `other-${taskId}`, revision);
    const other = repository.commit({ 'src/more.js': '' });
    const squashed = repository.commit({ 'src/more.js': undefined });
    expect(await server.as('otto').post(`/api/tasks/${taskId}/ship`, { revision: other })).toMatchObject({
      status: 409,
      body: { code: 'ship/revision-mismatch', verifiedRevision: revision },
    });
    expect(await server.as('otto').post(`/api/tasks/${taskId}/ship`, { revision: squashed })).toMatchObject({ status: 200 });
    expect(await server.as('otto').post(`/api/tasks/${taskId}/ship`, { revision })).toMatchObject({
      status: 409,
      body: { code: 'ship/shipped' },
    });
  });

  // C07
  it('that is reported twice by one key is reported once', async () => {
    const taskId = await leased();
    const path = `/api/leases/${taskId}.1/report`;
    const first = await server.as('ida').post(path, report(), { key: 'report' });
    expect(await server.as('ida').post(path, report(), { key: 'report' })).toMatchObject({ status: 200, body: first.body });
    expect(await server.as('ida').post(path, report({ summary: 'Other.' }), { key: 'report' })).toMatchObject({
      status: 422,
      body: { code: 'idempotency/other-body' },
    });
    expect((await server.events(taskId)).filter(({ type }) => type === 'WorkReported')).toHaveLength(1);
  });

  // C02
  it('of a holder that lost its lease is refused, visibly, and stays with the new one', async () => {
    const taskId = await leased();
    const robin = await server.agent();
    await server.as('otto').post(`/api/leases/${taskId}.1/revoke`, { reason: 'gone quiet' });
    expect(await robin.post('/api/leases', { taskId })).toMatchObject({ status: 200, body: { fence: '2' } });
    const late = await server.as('ida').post(`/api/leases/${taskId}.1/report`, report(), { key: 'late' });
    expect(late).toMatchObject({
      status: 409,
      body: { code: 'lease/lost', ended: 'revoked', heldBy: { name: 'Robin' }, liveFence: '2', artifactsCount: false },
    });
    const { requestId: _, ...told } = late.body;
    expect((await server.as('ida').post(`/api/leases/${taskId}.1/report`, report(), { key: 'late' })).body).toMatchObject(told);
    const { body } = await server.as('otto').get(`/api/tasks/${taskId}/timeline`);
    expect(body.items.at(-1)).toMatchObject({ type: 'StaleLeaseRejected', fence: '1', command: 'ReportWork' });
    expect(await server.as('otto').get(`/api/tasks/${taskId}`)).toMatchObject({
      body: { status: 'leased', holder: { name: 'Robin' }, fence: '2' },
    });
    expect(await server.as('ida').get(`/api/leases/${taskId}.1`)).toMatchObject({ body: { live: false, ended: 'revoked' } });
    expect(await robin.get(`/api/leases/${taskId}.2`)).toMatchObject({ body: { live: true, kind: 'implementation' } });
  });
  it.each([
    ['artifacts nowhere', { artifacts: [] }, 422, 'report/no-artifact'],
    ['a path outside the scope', { changedPaths: [{ path: 'package.json', change: 'added' }] }, 409, 'report/out-of-scope'],
    ['evidence that says where it comes from', { evidence: [{ provenance: 'human' }] }, 422, 'request/invalid'],
    ['a fence of another lease', { fence: '2' }, 422, 'request/invalid'],
    ['no full commit id', { revision: 'HEAD' }, 422, 'request/invalid'],
  ])('with %s is not taken', async (_, over, code, problem) => {
    const taskId = await leased();
    expect(await server.as('ida').post(`/api/leases/${taskId}.1/report`, report(over))).toMatchObject({
      status: code,
      body: { code: problem },
    });
    expect(await status(taskId)).toBe('leased');
  });

  // C09
  it('is not verified by its implementer, by whatever credential', async () => {
    const robin = await server.agent();
    const { taskId } = await reported(robin);
    const { body: me } = await robin.get('/api/me');
    const same = await server.agent({
      kind: undefined,
      name: undefined,
      capabilities: [],
      principalId: me.id,
      roles: ['verifier'],
    });
    const sibling = await server.agent({ roles: ['verifier'], capabilities: [] });
    expect(await robin.post(`/api/verifications/${taskId}/claim`)).toMatchObject({ status: 403, body: { code: 'auth/role' } });
    for (const [client, relation] of [
      [same, 'principal'],
      [sibling, 'accountable_human'],
    ] as const)
      expect(await client.post(`/api/verifications/${taskId}/claim`)).toMatchObject({
        status: 403,
        body: {
          code: 'verification/not-independent',
          relation,
          proof: { type: 'LeaseGranted', eventId: (await server.events(taskId))[1]!.id },
        },
      });
    expect(await status(taskId)).toBe('reported');
    expect((await server.events(taskId)).filter(({ type }) => type === 'VerificationRefused')).toHaveLength(2);
  });
  it('is not verified in the conversation that it was made in', async () => {
    const { taskId } = await reported(server.as('ida'), { conversationId: 'talk' });
    expect(await server.as('vera').post(`/api/verifications/${taskId}/claim`, { conversationId: 'talk' })).toMatchObject({
      status: 403,
      body: { code: 'verification/not-independent', relation: 'conversation' },
    });
  });
  it('is not verified on evidence whose output nobody stored', async () => {
    const { taskId, reportDigest } = await reported();
    await server.as('vera').post(`/api/verifications/${taskId}/claim`);
    const evidence = [{ check: '0', status: 'passed', exitCode: 0, outputSha256: sha256('never stored'), durationMs: 1 }];
    expect(await judge(server.as('vera'), taskId, reportDigest, { evidence })).toMatchObject({
      status: 409,
      body: { code: 'verdict/evidence-missing', missing: [{ why: 'unreadable' }] },
    });
    expect(await judge(server.as('vera'), taskId, '0'.repeat(64))).toMatchObject({ status: 409, body: { code: 'verdict/other-report' } });
    expect(await judge(server.as('vera'), taskId, reportDigest, { verdict: 'unverifiable' })).toMatchObject({
      body: { status: 'unverifiable' },
    });
    expect(await server.as('vera').post(`/api/verifications/${taskId}/claim`)).toMatchObject({
      status: 403,
      body: { code: 'verification/human-only' },
    });
  });
  it('that hides a changed file is rejected, and goes back to the queue with the findings', async () => {
    repository.run('checkout', '--quiet', '-B', 'hiding', base);
    const hiding = repository.commit({ 'src/greet.js': GREET, 'src/hidden.js': '' });
    const taskId = await leased();
    const { body } = await server
      .as('ida')
      .post(
        `/api/leases/${taskId}.1/report`,
        report({ revision: hiding, artifacts: [{ uri: 'https://example.org', mediaType: 'text/html', size: 1, sha256: sha256('') }] }),
      );
    await server.as('vera').post(`/api/verifications/${taskId}/claim`);
    expect(await judge(server.as('vera'), taskId, body.reportDigest, { verdict: 'verified' })).toMatchObject({
      status: 409,
      body: { code: 'verdict/paths-differ', hidden: ['added src/hidden.js'] },
    });
    expect(await judge(server.as('vera'), taskId, body.reportDigest)).toMatchObject({ body: { status: 'queued' } });
    expect(await (await server.agent()).post('/api/leases', { taskId })).toMatchObject({
      status: 200,
      body: { fence: '3', verdict: { verdict: 'rejected', findings: [{ code: 'paths/hidden', path: 'src/hidden.js' }] } },
    });
  });
  it('that is reported anew makes the verdict stale', async () => {
    const { taskId, reportDigest } = await reported();
    await server.as('vera').post(`/api/verifications/${taskId}/claim`);
    await judge(server.as('vera'), taskId, reportDigest);
    expect(await server.as('ida').post('/api/leases', { taskId })).toMatchObject({ status: 200, body: { fence: '3' } });
    await server.as('ida').post(`/api/leases/${taskId}.3/report`, report({ fence: '3', summary: 'Better.' }));
    expect(await server.as('otto').get(`/api/tasks/${taskId}`)).toMatchObject({
      body: { status: 'reported', report: { summary: 'Better.' }, verdict: { verdict: 'verified', stale: true } },
    });
    expect(await server.as('otto').post(`/api/tasks/${taskId}/ship`, { revision })).toMatchObject({
      status: 409,
      body: { code: 'ship/not-verified' },
    });
  });

  // C10
  it('that waits for an answer stays with its holder, who finds the answer', async () => {
    const taskId = await leased();
    await server.as('ida').post(`/api/tasks/${taskId}/block`, { fence: '1', question: 'Which greeting?' });
    await eventually(
      async () => (await server.as('otto').get('/api/tasks?status=blocked')).body.items[0]?.blockedQuestion === 'Which greeting?',
    );
    expect(await (await server.agent()).post('/api/leases', { taskId })).toMatchObject({ status: 409, body: { code: 'lease/taken' } });
    expect(await server.as('otto').post(`/api/tasks/${taskId}/unblock`, { answer: 'Hello', fence: '1' })).toMatchObject({
      body: { status: 'leased' },
    });
    expect(await server.as('ida').get(`/api/leases/${taskId}.1`)).toMatchObject({
      body: { live: true, blockedQuestion: null, answers: [{ question: 'Which greeting?', answer: 'Hello' }] },
    });
    expect(await server.as('otto').post(`/api/tasks/${taskId}/unblock`, { answer: 'Hello' })).toMatchObject({
      status: 409,
      body: { code: 'task/not-blocked' },
    });
  });

  it('is read by executors, operators, and whoever asked for it', async () => {
    const taskId = await server.queue();
    for (const name of ['otto', 'ida', 'vera', 'mia'])
      expect(await server.as(name).get(`/api/tasks/${taskId}`)).toMatchObject({ status: 200 });
    for (const name of ['ian', 'ann', 'eve']) {
      expect(await server.as(name).get(`/api/tasks/${taskId}`)).toMatchObject({ status: 404, body: { code: 'task/not-found' } });
      expect(await server.as(name).get(`/api/tasks/${taskId}/timeline`)).toMatchObject({ status: 404 });
      expect((await server.as(name).get('/api/tasks')).body.items).toEqual([]);
    }
    const ids = (await server.as('mia').get('/api/tasks?limit=200')).body.items.map((task: { taskId: string }) => task.taskId);
    expect(ids).toContain(taskId);
    const { body } = await server.as('mia').post('/api/delegations');
    const eve = server.as('eve').with({ 'workbench-delegation': body.delegation });
    expect(await eve.get(`/api/tasks/${taskId}`)).toMatchObject({ status: 200 });
    expect(await server.as('otto').get('/api/leases/nonsense')).toMatchObject({ status: 404, body: { code: 'lease/not-found' } });
  });
});

describe('An artifact', () => {
  let server: WorkServer;
  beforeAll(async () => (server = await startWork()));
  afterAll(() => server.close());
  const bytes = Buffer.from('<script>alert(1)</script>\0\xff', 'latin1');
  const digest = sha256(bytes);

  it('is stored under its own SHA-256, once', async () => {
    expect(await server.as('ida').put(`/api/artifacts/${digest}`, bytes)).toMatchObject({
      status: 201,
      body: { sha256: digest, size: bytes.length },
    });
    expect(await server.as('vera').put(`/api/artifacts/${digest}`, bytes)).toMatchObject({ status: 200 });
    expect(await server.as('ida').put(`/api/artifacts/${sha256('')}`, '')).toMatchObject({ status: 201, body: { size: 0 } });
  });
  it('is a download, whatever it is', async () => {
    await server.as('ida').put(`/api/artifacts/${digest}`, bytes);
    const response = await fetch(`${server.url}/api/artifacts/${digest}`, {
      headers: { authorization: `Bearer ${server.as('otto').credential}` },
    });
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toMatch(/sandbox/);
  });
  it.each([
    ['bytes that are not those', 'other', 422, 'artifact/digest-mismatch'],
    ['more than 5 MiB', Buffer.alloc(5 * 1024 * 1024 + 1), 413, 'request/too-large'],
  ])('is not stored with %s', async (_, body, status, code) =>
    expect(await server.as('ida').put(`/api/artifacts/${digest}`, body)).toMatchObject({ status, body: { code } }),
  );
  it('may have 5 MiB', async () => {
    const large = Buffer.alloc(5 * 1024 * 1024, 7);
    expect(await server.as('ida').put(`/api/artifacts/${sha256(large)}`, large)).toMatchObject({ status: 201 });
  });
  it('is written by executors only', async () => {
    for (const name of ['otto', 'mia', 'eve', 'ann'])
      expect(await server.as(name).put(`/api/artifacts/${digest}`, bytes)).toMatchObject({ status: 403, body: { code: 'auth/role' } });
  });
  it('is read by a member where a report on its own request names it', async () => {
    await server.as('ida').put(`/api/artifacts/${digest}`, bytes);
    expect(await server.as('mia').get(`/api/artifacts/${digest}`)).toMatchObject({ status: 404, body: { code: 'artifact/not-found' } });
    const taskId = await server.queue();
    await server.as('ida').post('/api/leases', { taskId });
    const { body } = await server.as('ida').post(`/api/leases/${taskId}.1/report`, {
      fence: '1',
      revision: 'c'.repeat(40),
      artifacts: [{ path: 'src/page.html', mediaType: 'text/html', size: bytes.length, sha256: digest }],
      changedPaths: [],
      evidence: [],
      summary: 'A page.',
    });
    expect(await server.as('mia').get(`/api/artifacts/${digest}?waitFor=${body.position}`)).toMatchObject({ status: 200 });
    expect(await server.as('ian').get(`/api/artifacts/${digest}`)).toMatchObject({ status: 404 });
    expect(await server.as('otto').get(`/api/artifacts/${sha256('nothing')}`)).toMatchObject({ status: 404 });
    expect(await server.as('otto').get('/api/artifacts/nonsense')).toMatchObject({ status: 422 });
  });
  it('is seen by its tenant only', async () => {
    await server.as('ida').put(`/api/artifacts/${digest}`, bytes);
    const { body } = await server.as('otto').post('/api/tenants', { name: 'Other', operator: 'Sam' });
    const stranger = new Client(server.url, body.operator.credential);
    expect((await stranger.get('/api/me')).status).toBe(200);
    expect(await stranger.get(`/api/artifacts/${digest}`)).toMatchObject({ status: 404 });
    const taskId = await server.queue();
    expect(await stranger.get(`/api/tasks/${taskId}`)).toMatchObject({ status: 404, body: { code: 'task/not-found' } });
    expect((await stranger.get('/api/tasks')).body.items).toEqual([]);
    expect(await stranger.post(`/api/tasks/${taskId}/cancel`, { reason: 'no' })).toMatchObject({ status: 404 });
  });
});
