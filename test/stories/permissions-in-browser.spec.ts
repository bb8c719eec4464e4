import type { Page } from 'playwright-core';
import { describeInBrowser, startBrowser, type TestBrowser } from '../../apps/console/test/browser.js';
import { eventually } from '../support/eventually.js';
import { startWorkbench, type Workbench } from '../support/workbench.js';

type Heard = { at: number; type: string; data: Record<string, unknown> };
declare const window: { heard: Heard[]; socket: { send(text: string): void } };

describeInBrowser('A browser', () => {
  let browser: TestBrowser;
  let bench: Workbench;
  let second: string;
  let mia: string;
  beforeAll(async () => {
    browser = await startBrowser();
    bench = await startWorkbench({ consoleDir: browser.dist });
    second = (await bench.another({ consoleDir: browser.dist, roles: { api: true, worker: false } })).url!;
    mia = (await bench.cast.mia.get('/api/me')).body.id;
  }, 120_000);
  afterEach(async () => expect(await browser.closeAll()).toEqual([]));
  afterAll(async () => {
    await browser.stop();
    await bench.stop();
  });

  const signIn = async (url: string): Promise<Page> => {
    const page = await browser.newPage({});
    await page.goto(url);
    await page.getByLabel('Credential', { exact: true }).fill(bench.cast.mia.credential!);
    await page.keyboard.press('Enter');
    await page.locator('.connection[data-state=live]').waitFor();
    return page;
  };
  /** A socket of the page's own, by its session or by a ticket. */
  const connect = async (page: Page, userId: string, by: 'session' | 'ticket') => {
    await page.evaluate(
      async ({ userId, by }) => {
        const protocols = ['workbench.permissions'];
        if (by === 'ticket') {
          const answer = await fetch('/api/ws-tickets', { method: 'POST' });
          protocols.push(`workbench.ticket.${((await answer.json()) as { ticket: string }).ticket}`);
        }
        const Socket = (globalThis as unknown as { WebSocket: new (url: string, protocols: string[]) => any }).WebSocket;
        const socket = new Socket(`${location.origin.replace('http', 'ws')}/ws/permissions?userId=${userId}`, protocols);
        window.heard = [];
        window.socket = socket;
        socket.onmessage = ({ data }: { data: string }) =>
          window.heard.push({ at: Date.now(), ...(JSON.parse(data) as Omit<Heard, 'at'>) });
      },
      { userId, by },
    );
    await eventually(async () => (await heardBy(page)).some(({ type }) => type === 'connected'));
  };
  const heardBy = (page: Page): Promise<Heard[]> => page.evaluate(() => window.heard);
  const ask = (command: string) =>
    bench.cast.eve.post('/api/hooks/classify', { toolName: 'bash', toolInput: { command }, agentId: 'agent_123' });

  it('hears of a request within a second, on two servers, by its session and by a ticket, and decides on it', async () => {
    const pages = await Promise.all([signIn(bench.url), signIn(second)]);
    await connect(pages[0], mia, 'session');
    await connect(pages[1], mia, 'ticket');
    const began = Date.now();
    const { requestId } = (await ask('npm install left-pad')).body;
    for (const page of pages) {
      const request = await eventually(async () =>
        (await heardBy(page)).find(({ type, data }) => type === 'permission_request' && data['id'] === requestId),
      );
      expect(request.data).toMatchObject({ command: 'npm install left-pad', tier: 'dangerous', agentId: 'agent_123' });
      expect(request.at - began).toBeLessThan(1_000);
    }
    await pages[1].evaluate(
      (id) => window.socket.send(JSON.stringify({ type: 'decision', data: { requestId: id, decision: 'approve' } })),
      requestId as string,
    );
    await eventually(async () => (await heardBy(pages[1])).some(({ type }) => type === 'decision_ack'));
    const again = await bench.cast.eve.post('/api/hooks/classify', {
      toolName: 'bash',
      toolInput: { command: 'npm install left-pad' },
      agentId: 'agent_123',
      requestId,
    });
    expect(again.body.allow).toBe(true);
  });
});
