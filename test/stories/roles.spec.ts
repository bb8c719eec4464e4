import { newId, type Role } from '#libs/kernel';
import { eveFor } from '../support/round-trip.js';
import { routes, type World } from '../support/routes.js';
import { startWorkbench, type Cast, type Workbench } from '../support/workbench.js';

const WHO: Readonly<Record<Role, keyof Cast>> = {
  eve: 'eve',
  approver: 'ann',
  operator: 'otto',
  member: 'mia',
  implementer: 'ida',
  verifier: 'vera',
};

/** Names of what is not there: who may send a request is told before anybody looks. */
const nothing = (): World => {
  const taskId = newId();
  const ids = Object.fromEntries(
    [
      'recordId',
      'confirmationId',
      'receiptId',
      'auditId',
      'sessionId',
      'approvalId',
      'sessionGrantId',
      'grantId',
      'credentialId',
      'principalId',
      'tenantId',
      'workspaceId',
    ].map((name) => [name, newId()]),
  );
  return {
    ...ids,
    taskId,
    leaseId: `${taskId}.1`,
    reportDigest: 'a'.repeat(64),
    artifact: 'b'.repeat(64),
    requestId: 'hook_1700000000000_a1b2c3d4e',
  } as unknown as World;
};

describe('Every route', () => {
  let bench: Workbench;
  let cast: Cast;
  const world = nothing();
  beforeAll(async () => {
    bench = await startWorkbench();
    cast = { ...bench.cast, eve: await eveFor(bench.cast, bench.cast.mia) };
  });
  afterAll(() => bench.stop());

  it.each(routes.filter(({ as }) => as !== 'nobody'))('is for $may only: $route', async ({ route, path, body, bytes, may }) => {
    const [method, pattern] = route.split(' ') as [string, string];
    const where = path?.(world) ?? pattern;
    for (const [role, name] of Object.entries(WHO) as [Role, keyof Cast][]) {
      const client = cast[name];
      const answer = bytes ? await client.put(where, bytes(world)) : await client.call(method, where, body && JSON.stringify(body(world)));
      const refused = answer.status === 403 && (answer.body as { code?: string }).code === 'auth/role';
      expect([role, refused ? 'refused' : 'let in']).toEqual([role, may.includes(role) ? 'let in' : 'refused']);
    }
    const nobody = await cast.mia.with({ authorization: 'Bearer none' }).call(method, where);
    expect(nobody.status).toBe(401);
  });
});
