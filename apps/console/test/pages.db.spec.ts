import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Page } from 'playwright-core';
import { describeInBrowser, startBrowser, violations, type TestBrowser } from './browser.js';
import { bulk, destructive, hostile, plain, tasks, work } from './fixture-data.js';
import { RECEIPT_ID, receipt } from './fixture-receipt.js';
import { CREDENTIAL } from './fixture-server.js';

const MAX_BYTES = 33_000;
const all = () => ({ cards: [bulk(), destructive(), work(), plain(), hostile()], tasks: tasks() });
const at = (card: { confirmationId: string }): string => `#/inbox/${card.confirmationId}`;
const goTo = (page: Page, hash: string): Promise<unknown> => page.evaluate((to) => (location.hash = to), hash);

describeInBrowser('The console', () => {
  let browser: TestBrowser;
  beforeAll(async () => void (browser = await startBrowser()), 60_000);
  afterAll(() => browser.stop());
  afterEach(async () => expect(await browser.closeAll()).toEqual([]));

  it('exchanges a credential for a session, and says what is wrong with one that is not valid', async () => {
    const fixture = await browser.serve({});
    const page = await browser.newPage();
    await page.goto(fixture.url);
    const field = page.getByLabel('Credential', { exact: true });
    await field.press('Enter');
    await page.getByText('Paste your credential first.').waitFor();
    await field.fill('wrong');
    await field.press('Enter');
    await page.getByText('This credential is not valid. Check it.').waitFor();
    await field.fill(` ${CREDENTIAL}\n`);
    await field.press('Enter');
    await page.getByText('Nothing waits for you.').waitFor();
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]))).not.toContain(CREDENTIAL);
    await page.locator('.account summary').click();
    await page.getByText('Northwind Press').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
  });

  it('shows a lost connection, heals by itself, and learns what it missed', async () => {
    const card = plain();
    const fixture = await browser.serve({ cards: [card, bulk()] });
    const page = await browser.signedIn(fixture);
    fixture.goAway();
    await page.locator('.banner').getByText('Connection lost').waitFor();
    expect(await page.locator('.connection').innerText()).toContain('Reconnecting');
    fixture.approvedElsewhere(card.confirmationId);
    fixture.comeBack();
    await page.locator('.connection[data-state=live]').waitFor({ timeout: 20_000 });
    expect(await page.locator('.banner').count()).toBe(0);
    expect(await page.locator('#announcements').textContent()).toBe('Connected again. Everything is up to date.');
    await page.locator('.closed .tag').getByText('Carried out').waitFor();
    expect(await page.locator('nav .count').innerText()).toMatch(/^1/);
  });

  it('asks to sign in again when the session ends, and goes on where it was', async () => {
    const card = plain();
    const fixture = await browser.serve({ cards: [card] });
    const page = await browser.signedIn(fixture, at(card));
    await page.getByRole('button', { name: 'Decline…' }).click();
    await page.getByLabel('Reason').fill('Kept');
    fixture.endSession();
    await page.getByText('Your session has ended.').waitFor({ timeout: 20_000 });
    await page.getByLabel('Credential', { exact: true }).fill(CREDENTIAL);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Decline…' }).click();
    expect(await page.getByLabel('Reason').inputValue()).toBe('Kept');
  });

  it('shows work by stage, live, and above it what is stuck and why', async () => {
    const fixture = await browser.serve(all());
    const page = await browser.signedIn(fixture, '#/work');
    const column = (name: string) => page.getByRole('region', { name: new RegExp(`^${name} `) });
    await column('Leased').getByText('codex@ci-2').waitFor();
    expect(await column('Leased').getByText(/left$/).allTextContents()).toEqual([
      expect.stringMatching(/^0:\d\d left/),
      expect.stringMatching(/^[89]:\d\d left/),
    ]);
    // A rejected task is queued again; it is told apart from one that nobody has tried.
    expect(await column('Queued').locator('.tile').getByText('Rejected, to do again').count()).toBe(1);
    await page.locator('.stuck').getByText('Two templates use a partial').waitFor();
    await page.locator('.stuck').getByText('Given up after 3 leases expired.').waitFor();
    const [first] = tasks();
    fixture.push('task', { task: { ...first, status: 'leased', holder: { id: 'x', name: 'Nova' }, updatedAt: new Date().toISOString() } });
    await column('Leased').getByText('Nova').waitFor();
    expect(await page.locator('.tile h3').getByText('Show reading time on article pages').count()).toBe(1);
    await column('Shipped')
      .getByRole('link', { name: /^Receipt/ })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Escape ampersands in the sitemap' }).waitFor();
  });

  it('shows a receipt as a chain with its limits, and hands out the signed envelope', async () => {
    const fixture = await browser.serve({});
    const page = await browser.signedIn(fixture, `#/receipts/${RECEIPT_ID}`);
    const { predicate } = receipt().statement;
    expect(await page.locator('.step h3').allInnerTexts()).toEqual(
      [
        'Proposed by Eve',
        'Approved by Ann',
        'Carried out',
        'Leased by codex@ci-2 (gpt-5-codex)',
        'Reported by codex',
        'Verified by Vera',
        'Shipped',
      ].map((step) => expect.stringContaining(step) as string),
    );
    const text = await page.locator('article.card').innerText();
    for (const shown of [
      predicate.chain.proposal.actionDigest,
      predicate.scopeDigest,
      predicate.chain.shipped.revision,
      'passed, 42 tests, rerun by the server',
      ...predicate.doesNotProve,
    ]) {
      expect(text).toContain(shown);
    }
    for (const [name, expected] of [
      ['Download envelope (DSSE)', receipt().envelope],
      ['Download statement (JSON)', { predicateType: receipt().statement.predicateType }],
    ] as const) {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
      const saved = await readFile(await download.path(), 'utf8');
      expect(JSON.parse(saved)).toMatchObject(expected);
      // What is signed is handed on byte for byte.
      if (name.includes('DSSE')) expect(saved).toBe(JSON.stringify(expected));
    }
  });

  it.each([
    ['light', 1200],
    ['light', 390],
    ['dark', 1200],
    ['dark', 390],
  ] as const)('has nothing for axe to find, in %s at %d px', async (colorScheme, width) => {
    const fixture = await browser.serve(all());
    const options = { colorScheme, viewport: { width, height: 800 }, reducedMotion: 'reduce' as const };
    const signIn = await browser.newPage(options);
    await signIn.goto(fixture.url);
    await signIn.getByLabel('Credential', { exact: true }).press('Enter');
    await signIn.getByText('Paste your credential first.').waitFor();
    expect(await violations(signIn)).toEqual([]);

    const page = await browser.signedIn(fixture, '', options);
    await page.locator('.row').first().waitFor();
    expect(await violations(page)).toEqual([]);
    for (const card of [bulk(), work(), hostile()]) {
      await goTo(page, at(card));
      await page.getByRole('button', { name: 'Approve' }).waitFor();
      expect(await violations(page)).toEqual([]);
    }
    await page.getByRole('button', { name: 'Decline…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
    await page.getByText('Write a reason.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');

    await goTo(page, at(destructive()));
    fixture.moveRecord(destructive().confirmationId);
    await page.getByRole('button', { name: 'Propose again' }).waitFor();
    expect(await violations(page)).toEqual([]);
    fixture.approvedElsewhere(destructive().confirmationId);
    await page.getByText('Bob Okafor approved this').waitFor();
    expect(await violations(page)).toEqual([]);
    await goTo(page, '#/work');
    await page.locator('.tile').first().waitFor();
    expect(await violations(page)).toEqual([]);
    await goTo(page, `#/receipts/${RECEIPT_ID}`);
    await page.locator('.chain').waitFor();
    await page.locator('.raw summary').click();
    expect(await violations(page)).toEqual([]);
    fixture.goAway();
    await page.locator('.banner').waitFor();
    await page.locator('.account summary').click();
    expect(await violations(page)).toEqual([]);
  });

  it('fits 320 px without scrolling sideways, and every control is large enough to hit', async () => {
    const page = await browser.signedIn(await browser.serve(all()), '', { viewport: { width: 320, height: 640 } });
    for (const hash of ['#/inbox', at(work()), at(hostile()), '#/work', `#/receipts/${RECEIPT_ID}`]) {
      await goTo(page, hash);
      await page.locator('.row:visible, .bar button:visible, .tile:visible, .chain:visible').first().waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
      const small = await page.evaluate(() =>
        [...document.querySelectorAll('button, summary, select, nav a, .row, .back')]
          .map((control) => ({ text: control.textContent, box: control.getBoundingClientRect() }))
          .filter(({ box }) => box.height > 0 && (box.height < 24 || box.width < 24))
          .map(({ text }) => text),
      );
      expect(small).toEqual([]);
    }
  });

  it('stays small', async () => {
    const assets = path.join(browser.dist, 'assets');
    const files = await Promise.all((await readdir(assets)).map((name) => readFile(path.join(assets, name))));
    const bytes = files.reduce((sum, file) => sum + gzipSync(file).length, 0);
    expect(bytes).toBeLessThan(MAX_BYTES);
  });
});
