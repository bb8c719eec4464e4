import { startPair, type Pair } from '../testing/conversation.js';

describe('What cannot be undone', () => {
  let { server, other, to, close } = {} as Pair;
  beforeAll(async () => {
    ({ server, other, to, close } = await startPair());
  });
  afterAll(() => close());

  const enable = (body: object = {}) => server.as('ian').call('PUT', '/api/permissions/enablements/destroy.fs', JSON.stringify(body));
  it('is asked for every time while its owner has enabled it, and blocked again at once after', async () => {
    expect((await server.ask('rm -rf build', {}, 'ida')).body).toMatchObject({ allow: false, tier: 'destructive' });
    expect(await enable({ expiresInSeconds: 600, reason: 'Cleaning up.' })).toMatchObject({
      status: 200,
      body: { effect: 'destroy.fs', enabled: true },
    });
    expect(
      (await server.as('ian').get('/api/permissions/enablements')).body.enablements.filter((item: { enabled: boolean }) => item.enabled),
    ).toHaveLength(1);
    // Mia has not.
    expect((await server.ask('rm -rf build')).body).toMatchObject({ allow: false, policies: ['tool.destructive-only-when-enabled'] });

    const requestId = await to.queued('rm -rf build', {}, 'ida');
    expect(await to.listed('ian', requestId)).toMatchObject({ tier: 'destructive', actions: ['approve', 'reject'] });
    expect((await to.decide(requestId, 'approve_always', {}, 'ian')).body).toMatchObject({
      success: true,
      tier: 'destructive',
      remembered: false,
    });
    expect((await to.redeem(requestId, 'rm -rf build', {}, 'ida')).body.allow).toBe(true);
    const again = await to.queued('rm -rf build', {}, 'ida');
    await to.decide(again, 'approve', {}, 'ian');

    expect(await server.as('ian').delete('/api/permissions/enablements/destroy.fs')).toMatchObject({
      status: 200,
      body: { enabled: false },
    });
    expect((await other.ask('rm -rf build', { requestId: again }, 'ida')).body).toMatchObject({
      allow: false,
      code: 'permission/judged-worse',
    });
    expect((await other.ask('rm -rf build', {}, 'ida')).body).toMatchObject({ allow: false, tier: 'destructive' });
  });
  it('is enabled by people only, and by its name', async () => {
    expect((await server.as('ida').call('PUT', '/api/permissions/enablements/destroy.fs', '{}')).status).toBe(403);
    expect(await server.as('ian').call('PUT', '/api/permissions/enablements/read', '{}')).toMatchObject({
      status: 404,
      body: { code: 'enablement/unknown-effect' },
    });
    expect(await server.as('ian').delete('/api/permissions/enablements/destroy.db')).toMatchObject({
      status: 404,
      body: { code: 'enablement/not-found' },
    });
    expect((await enable({ expiresInSeconds: 86_401 })).status).toBe(422);
  });
});
