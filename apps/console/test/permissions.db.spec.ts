import { type Page } from 'playwright-core';
import { describeInBrowser, startBrowser, violations, type TestBrowser } from './browser.js';
import { bulk, plain } from './fixture-data.js';
import { grant, push, removal, write } from './fixture-permissions.js';
import { CREDENTIAL } from './fixture-server.js';

const at = ({ id }: { id: string }): string => `#/inbox/${id}`;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const decisions = (fixture: { got: { method: string; path: string; body: Record<string, unknown> }[] }) =>
  fixture.got.filter(({ method, path }) => method === 'POST' && path === '/api/permissions').map(({ body }) => body);

describeInBrowser('Permission requests', () => {
  let browser: TestBrowser;
  beforeAll(async () => void (browser = await startBrowser()), 60_000);
  afterAll(() => browser.stop());
  afterEach(async () => expect(await browser.closeAll()).toEqual([]));

  it('stand among the cards, the riskiest and oldest first, and come and go by themselves', async () => {
    const fixture = await browser.serve({ cards: [bulk(), plain()], permissions: [push()] });
    const page = await browser.signedIn(fixture);
    await page.locator('.row').nth(2).waitFor();
    const risks = async () =>
      (await page.locator('.list .rows').first().locator('.risk').allTextContents()).map((risk) => risk.split(',')[0]);
    expect(await risks()).toEqual(['Bulk', 'Unknown', 'Write']);
    await page.locator('.row').getByText('bash, Platform').first().waitFor();
    fixture.requests.ask(removal());
    await page.locator('.row').nth(3).waitFor();
    expect(await risks()).toEqual(['Bulk', 'Destructive', 'Unknown', 'Write']);
    expect(await page.title()).toBe('(4) Inbox · Workbench');
    expect(await page.locator('#announcements').textContent()).toBe('New in the inbox: Eve asks to use bash, destructive');
    fixture.requests.close(removal().id, { status: 'cancelled' });
    await page.locator('.closed .tag').getByText('Taken back').waitFor();
  });

  it('show the whole command, its marked part, and every character that hides', async () => {
    const page = await browser.signedIn(await browser.serve({ permissions: [push()] }), at(push()));
    const command = page.locator('pre.command');
    await command.waitFor();
    expect(await command.textContent()).toBe('cd build && git push --force origin mainU+202E # U+200Bsafe');
    expect(await command.locator('mark').textContent()).toBe('--force');
    expect(await command.locator('.ghost').allTextContents()).toEqual(['U+202E', 'U+200B']);
    const text = (await page.locator('article.card').innerText()).replaceAll('\u00A0', ' ');
    for (const shown of [
      push().reason,
      'Dangerous',
      'agent_123',
      '/srv/site',
      'Platform',
      'session-7',
      'vcs.remote',
      'ask-owner-when-dangerous',
      push().id,
    ])
      expect(text).toContain(shown);
    expect(await page.locator('.segments li').count()).toBe(2);
    expect(await page.locator('.bar .left').textContent()).toMatch(/^1[34]:\d\d left$/);
  });

  it('show a command of any length whole', async () => {
    const command = `echo ${'word '.repeat(4000)}END`;
    const long = { ...push(), command, toolInput: { command }, span: { start: 0, end: 4 } };
    const page = await browser.signedIn(await browser.serve({ permissions: [long] }), at(long));
    const shown = page.locator('pre.command');
    await shown.waitFor();
    expect(await shown.textContent()).toBe(command);
    expect(await shown.evaluate((box) => box.scrollHeight <= box.clientHeight + 1)).toBe(true);
  });

  it('show the input of other tools as JSON, and offer only what the server offers', async () => {
    const page = await browser.signedIn(await browser.serve({ permissions: [write()] }), at(write()));
    await page.getByRole('heading', { name: 'Input' }).waitFor();
    expect(await page.locator('pre.command').nth(1).textContent()).toContain('"content": "TOKEN=U+200Babc\\nMODE=live"');
    expect(await page.locator('.bar-actions button').allTextContents()).toEqual(['Reject…', 'Edit…', 'Approve']);
    await page.getByText('Sensitive files are asked for each time.').waitFor();
  });

  it('are approved once, by keyboard', async () => {
    const fixture = await browser.serve({ permissions: [push()] });
    const page = await browser.signedIn(fixture, at(push()));
    await button(page, 'Approve').focus();
    await page.keyboard.press('Enter');
    await page.getByText('You approved this', { exact: true }).waitFor();
    await page.getByText('Eve may now run it once.').waitFor();
    expect(decisions(fixture)).toEqual([{ requestId: push().id, decision: 'approve', presentedDigest: push().presentedDigest }]);
    fixture.requests.close(push().id, { status: 'approved', consumed: true });
    await page.getByText('The approval is used').waitFor();
  });

  it('are rejected with words that arrive as they are, and that an error does not lose', async () => {
    const fixture = await browser.serve({ permissions: [push()] });
    const page = await browser.signedIn(fixture, at(push()));
    await button(page, 'Reject…').click();
    await page.getByLabel('Feedback').fill(' Not on Fridays.\n');
    fixture.dropNext(/^POST \/api\/permissions$/);
    await button(page, 'Reject').click();
    await page.getByText('Pressing again is safe').waitFor();
    await page.reload();
    await button(page, 'Reject…').click();
    expect(await page.getByLabel('Feedback').inputValue()).toBe(' Not on Fridays.\n');
    await button(page, 'Reject').click();
    await page.getByText('You rejected this', { exact: true }).waitFor();
    expect(decisions(fixture).at(-1)).toMatchObject({ requestId: push().id, decision: 'reject', feedback: ' Not on Fridays.\n' });
  });

  it('say before “always” what it would cover and would have covered', async () => {
    const fixture = await browser.serve({ permissions: [push()] });
    const page = await browser.signedIn(fixture, at(push()));
    await button(page, 'Approve always…').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('In the last 30 days this would have covered 2 of 40 calls.').waitFor();
    await dialog.getByText('git push', { exact: true }).waitFor();
    await dialog.getByText('git.example').waitFor();
    await dialog.getByText('You rejected 1 of them').waitFor();
    await dialog.getByText('git push --force origin release').first().waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Approve always' }).click();
    await page.getByText('You approved this', { exact: true }).waitFor();
    expect(decisions(fixture)).toEqual([{ requestId: push().id, decision: 'approve_always', presentedDigest: push().presentedDigest }]);
  });

  it('run another input where a person writes one, and ask again where it is worse', async () => {
    const fixture = await browser.serve({ permissions: [push()] });
    const page = await browser.signedIn(fixture, at(push()));
    await button(page, 'Edit…').click();
    const field = page.getByLabel('To run instead');
    expect(await field.inputValue()).toBe(push().command);
    await field.fill('sudo git push');
    await button(page, 'Approve this').click();
    await page.getByText('What you wrote is judged worse than what was asked').waitFor();
    await page.getByText('You changed this; the agent asked for something else').waitFor();
    expect(await page.locator('pre.command mark').textContent()).toBe('sudo');
    expect(await button(page, 'Approve always…').count()).toBe(0);
    await button(page, 'Edit…').click();
    await page.getByLabel('To run instead').fill('git push');
    await button(page, 'Approve this').click();
    await page.getByText('You approved this', { exact: true }).waitFor();
    expect(decisions(fixture).at(-1)).toMatchObject({
      requestId: push().id,
      decision: 'approve',
      modifiedInput: 'git push',
      presentedDigest: 'f'.repeat(64),
    });
  });

  it('are not decided by a press that was meant for another text', async () => {
    const fixture = await browser.serve({ permissions: [push()] });
    const page = await browser.signedIn(fixture, at(push()));
    await button(page, 'Approve').waitFor();
    // Unheard by the feed: the press finds out.
    fixture.requests.change({ ...push(), command: 'git push --force', presentedDigest: '9'.repeat(64) });
    await button(page, 'Approve').click();
    await page.getByText('It is not what you were shown any more').waitFor();
    await page.locator('pre.command').getByText('git push --force', { exact: true }).waitFor();
    await button(page, 'Approve').click();
    await page.getByText('You approved this', { exact: true }).waitFor();
    expect(decisions(fixture).map(({ presentedDigest }) => presentedDigest)).toEqual([push().presentedDigest, '9'.repeat(64)]);
  });

  it('say in place that they were decided elsewhere, or that time ran out, and keep what was typed', async () => {
    const fixture = await browser.serve({ permissions: [push(), removal()] });
    const page = await browser.signedIn(fixture, at(push()));
    await button(page, 'Reject…').click();
    await page.getByLabel('Feedback').fill('Half a sent');
    fixture.requests.close(push().id, { status: 'approved' });
    await page.getByRole('dialog').getByText('You approved this elsewhere. Nothing of this was sent.').waitFor();
    expect(await page.getByLabel('Feedback').inputValue()).toBe('Half a sent');
    await button(page, 'Close').click();
    await page.getByText('You approved this elsewhere', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Next: rm -rf /var/lib/app' }).click();
    await button(page, 'Approve').waitFor();
    // Unheard by the feed: the press finds out.
    fixture.requests.change({ ...removal(), status: 'expired', actions: [] });
    await button(page, 'Approve').click();
    await page.getByText('Time ran out', { exact: true }).waitFor();
    expect(await page.locator('.bar').count()).toBe(0);
  });

  it('are known again after the connection was cut, with how they ended meanwhile', async () => {
    const fixture = await browser.serve({ permissions: [push()] });
    const page = await browser.signedIn(fixture);
    await page.locator('.row').waitFor();
    fixture.goAway();
    await page.locator('.banner').waitFor();
    fixture.requests.change({ ...push(), status: 'expired', actions: [] });
    fixture.requests.change(removal());
    fixture.comeBack();
    await page.locator('.closed .tag').getByText('Expired').waitFor({ timeout: 20_000 });
    await page.locator('.row').getByText('rm -rf /var/lib/app').waitFor();
  });

  it('are found within fifteen seconds where the feed says nothing of them', async () => {
    const fixture = await browser.serve({});
    const page = await browser.newPage();
    await page.clock.install();
    await page.goto(fixture.url);
    await page.getByLabel('Credential', { exact: true }).fill(CREDENTIAL);
    await page.keyboard.press('Enter');
    await page.getByText('Nothing waits for you.').waitFor();
    fixture.requests.change(removal());
    await page.clock.fastForward(15_000);
    await page.locator('.row').getByText('rm -rf /var/lib/app').waitFor();
  });

  it('leave grants behind that can be looked at and revoked, and effects that can be enabled for a while', async () => {
    const fixture = await browser.serve({ grants: [grant()] });
    const page = await browser.signedIn(fixture, '#/grants');
    await page.getByText('1 grant in force').waitFor();
    await page.getByText('4 of 1,000 times').waitFor();
    await button(page, 'Revoke git push').click();
    await page.getByText('0 grants in force').waitFor();
    await page.getByText('Over: 1').waitFor();
    await page.getByLabel('Enable for').selectOption('900');
    await button(page, 'Enable destroy.fs').click();
    await page.locator('.records .tag').getByText('Enabled, 1').waitFor();
    const put = fixture.got.find(({ method }) => method === 'PUT');
    expect(put).toMatchObject({ path: '/api/permissions/enablements/destroy.fs', body: { expiresInSeconds: 900 } });
    expect(put!.headers['workbench-workspace']).toBeDefined();
    await button(page, 'Disable destroy.fs').click();
    await button(page, 'Enable destroy.fs').waitFor();
  });

  it.each([
    ['light', 1200],
    ['dark', 1200],
    ['light', 320],
    ['dark', 390],
  ] as const)('have nothing for axe to find, fit, and can be hit, in %s at %d px', async (colorScheme, width) => {
    const options = { colorScheme, viewport: { width, height: 800 }, reducedMotion: 'reduce' as const };
    const given = {
      cards: [bulk()],
      permissions: [push(), removal(), write()],
      grants: [grant(), grant({ id: 'g2', status: 'revoked', endedAt: grant().createdAt })],
    };
    const fixture = await browser.serve(given);
    const page = await browser.signedIn(fixture, at(push()), options);
    const look = async (name: string): Promise<void> => {
      expect(await violations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      const small = await page.evaluate(() =>
        [...document.querySelectorAll('button, summary, select, nav a, .row, .back')]
          .map((control) => ({ text: control.textContent, box: control.getBoundingClientRect() }))
          .filter(({ box }) => box.height > 0 && (box.height < 24 || box.width < 24))
          .map(({ text }) => text),
      );
      expect(small).toEqual([]);
      if (process.env['SCREENSHOTS'])
        await page.screenshot({ path: `${process.env['SCREENSHOTS']}/${name}-${colorScheme}-${width}.png`, fullPage: true });
    };
    await button(page, 'Approve').waitFor();
    await look('request');
    for (const open of ['Reject…', 'Edit…', 'Approve always…']) {
      await button(page, open).click();
      await page
        .getByRole('dialog')
        .getByText(/as they are|judged again|would have covered 2/)
        .waitFor();
      await look(`dialog-${open.split(/[ …]/)[0]}`);
      await page.keyboard.press('Escape');
    }
    await page.evaluate((to) => (location.hash = to), at(write()));
    await page.getByRole('heading', { name: 'Input' }).waitFor();
    await look('write');
    fixture.requests.close(write().id, { status: 'rejected', feedback: 'No.' });
    await page.getByText('You rejected this elsewhere').first().waitFor();
    await look('rejected');
    await page.evaluate(() => (location.hash = '#/grants'));
    await page.getByText('1 grant in force').waitFor();
    await page.getByText('Over: 1').click();
    await button(page, 'Enable destroy.fs').click();
    await page.locator('.records .tag').getByText('Enabled').waitFor();
    await look('grants');
    await page.evaluate(() => (location.hash = '#/inbox'));
    await page.locator('.row:visible').first().waitFor();
    await look('inbox');
  });
});
