import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../../test/support/eventually.js';
import { startWorkbench, type Workbench } from '../../../test/support/workbench.js';

// Sockets and servers on a busy machine: the conditions are what is tested, not the time.
jest.setTimeout(30_000);

describe('A running server', () => {
  let workbench: Workbench;
  let consoleDir: string;
  const get = (path: string, headers: Record<string, string> = {}) => fetch(workbench.url + path, { headers });

  beforeAll(async () => {
    consoleDir = await mkdtemp(join(tmpdir(), 'console-'));
    await mkdir(join(consoleDir, 'assets'));
    await writeFile(
      join(consoleDir, 'index.html'),
      '<!doctype html><title>Workbench</title><script type="module" src="/assets/index-1.js"></script>',
    );
    await writeFile(join(consoleDir, 'assets', 'index-1.js'), 'export {};');
    workbench = await startWorkbench({ consoleDir });
  });
  afterAll(async () => {
    await workbench?.stop();
    await rm(consoleDir, { recursive: true });
  });

  it('is live, and ready with store, migrations and read models', async () => {
    expect((await get('/health/live')).status).toBe(200);
    const ready = await eventually(async () => {
      const answer = await get('/health/ready');
      return answer.status === 200 && ((await answer.json()) as { status: string; checks: Record<string, { status: string }> });
    });
    expect(ready).toMatchObject({
      status: 'ok',
      checks: {
        store: { status: 'ok' },
        migrations: { status: 'ok', missing: [] },
        projections: { status: 'ok', led: true, faulted: [], parked: [] },
      },
    });
  });

  it('measures requests by route and status, itself, and how far its read models are', async () => {
    await workbench.cast.ann.get('/api/confirmations');
    await get('/api/confirmations?secret=1');
    const answer = await get('/metrics');
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const text = await answer.text();
    expect(text).toMatch(/workbench_http_request_duration_seconds_count\{method="GET",route="\/api\/confirmations",status="200"\} 1/);
    expect(text).toMatch(/workbench_http_request_duration_seconds_count\{method="GET",route="\/api\/confirmations",status="401"\} 1/);
    for (const name of [
      'process_cpu_seconds_total',
      'nodejs_eventloop_lag_seconds',
      '# TYPE workbench_open_streams gauge',
      'workbench_projections_led 1',
      'workbench_projection_lag_seconds',
      'workbench_projection_faulted{projection="',
    ])
      expect(text).toContain(name);
    expect(text).not.toContain('secret');
  });

  it('shows its API, all of it from itself and under the strict content policy', async () => {
    const page = await get('/docs');
    const html = await page.text();
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(html).not.toMatch(/<style|<script>|https?:/);
    for (const [, path] of html.matchAll(/(?:src|href)="([^"]+)"/g)) expect([path, (await get(path!)).status]).toEqual([path, 200]);
    const document = (await (await get('/docs/openapi.json')).json()) as { openapi: string; paths: Record<string, unknown> };
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/api/proposals', '/health/ready']));
  });

  it('serves the console: a page that is always asked for anew, and assets that are kept', async () => {
    const page = await get('/');
    expect([page.status, page.headers.get('cache-control'), await page.text()]).toEqual([
      200,
      'no-cache',
      expect.stringContaining('Workbench'),
    ]);
    const asset = await get('/assets/index-1.js');
    expect([asset.status, asset.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    for (const path of ['/assets/nothing.js', '/../package.json', '/assets/..%2f..%2fetc%2fpasswd'])
      expect((await get(path)).headers.get('content-type')).toMatch(/^application\/problem\+json/);
  });
});
