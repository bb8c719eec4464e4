import { createHttpApp, Drain } from '#libs/http';
import { HEALTH_CHECKS, runChecks, type HealthCheck } from './health-check.js';
import { HealthController } from './health.controller.js';

const check = (name: string, run: HealthCheck['run']): HealthCheck => ({ name, run });
const well = check('store', () => Promise.resolve({ status: 'ok' }));

const start = async (...checks: HealthCheck[]) => {
  const app = await createHttpApp(
    [{ module: class Health {}, controllers: [HealthController], providers: [{ provide: HEALTH_CHECKS, useValue: checks }] }],
    {},
    false,
  );
  await app.listen(0, '127.0.0.1');
  return { app, get: async (path: string) => app.inject({ url: path }) };
};

describe('A server', () => {
  it('is live whatever becomes of others, and ready when all that it needs is well', async () => {
    const { app, get } = await start(
      well,
      check('projections', () => Promise.resolve({ status: 'degraded', faulted: ['inbox'] })),
    );
    expect((await get('/health/live')).json()).toEqual({ status: 'ok' });
    const ready = await get('/health/ready');
    expect([ready.statusCode, ready.json<object>()]).toEqual([
      200,
      { status: 'degraded', checks: { store: { status: 'ok' }, projections: { status: 'degraded', faulted: ['inbox'] } } },
    ]);
    await app.close();
  });

  it('is not ready, and says which part is not, without telling why to everyone', async () => {
    const { app, get } = await start(
      well,
      check('migrations', () => Promise.reject(new Error('password authentication failed for secret'))),
    );
    const ready = await get('/health/ready');
    expect([ready.statusCode, ready.headers['retry-after'], ready.json<object>()]).toMatchObject([
      503,
      '2',
      { code: 'server/not-ready', checks: { store: { status: 'ok' }, migrations: { status: 'failed' } } },
    ]);
    expect(ready.body).not.toContain('secret');
    expect((await get('/health/live')).statusCode).toBe(200);
    await app.close();
  });

  it('is not ready once it is told to stop', async () => {
    const { app, get } = await start(well);
    await app.get(Drain).run();
    expect((await get('/health/ready')).statusCode).toBe(503);
    await app.close();
  });

  it('waits for no check longer than it would wait for an answer', async () => {
    jest.useFakeTimers();
    try {
      const failed: string[] = [];
      const result = runChecks([well, check('stuck', () => new Promise(() => undefined))], (name) => failed.push(name));
      await jest.advanceTimersByTimeAsync(2_000);
      expect(await result).toEqual({ store: { status: 'ok' }, stuck: { status: 'failed' } });
      expect(failed).toEqual(['stuck']);
    } finally {
      jest.useRealTimers();
    }
  });
});
