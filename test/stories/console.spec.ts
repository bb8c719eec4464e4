import type { Page } from 'playwright-core';
import { describeInBrowser, startBrowser, violations, type TestBrowser } from '../../apps/console/test/browser.js';
import { createRecord, eveFor, propose } from '../support/round-trip.js';
import { startWorkbench, type Workbench } from '../support/workbench.js';

describeInBrowser('The inbox, served by the product', () => {
  let browser: TestBrowser;
  let bench: Workbench;
  beforeAll(async () => {
    browser = await startBrowser();
    bench = await startWorkbench({ consoleDir: browser.dist });
  }, 120_000);
  afterEach(async () => expect(await browser.closeAll()).toEqual([]));
  afterAll(async () => {
    await browser.stop();
    await bench.stop();
  });

  const signIn = async (who: 'ann' | 'ben', colorScheme: 'light' | 'dark' = 'light'): Promise<Page> => {
    const page = await browser.newPage({ colorScheme });
    await page.goto(bench.url);
    await page.getByLabel('Credential', { exact: true }).fill(bench.cast[who].credential!);
    await page.keyboard.press('Enter');
    await page.locator('.connection[data-state=live]').waitFor();
    return page;
  };
  const proposed = async (title: string): Promise<string> => {
    const recordId = await createRecord(bench.cast, 'work_item', { title });
    const { body } = await propose(await eveFor(bench.cast, bench.cast.mia), 'record.change', { recordId, changes: { priority: 'high' } });
    return body.confirmationId;
  };
  const statusOf = async (confirmationId: string) => (await bench.cast.mia.get(`/api/confirmations/${confirmationId}`)).body.card;

  it('shows a card as it comes, takes an approval, and tells the other approver who was first', async () => {
    const [ann, ben] = await Promise.all([signIn('ann'), signIn('ben')]);
    const confirmationId = await proposed('Leaking tap');
    for (const page of [ann, ben]) await page.getByText('Change the work item "Leaking tap"').first().click();
    await ann.getByRole('button', { name: 'Approve', exact: true }).click();
    await ann.getByText('You approved this').waitFor();
    await ben.getByText('Ann Approver approved this').waitFor();
    expect(await statusOf(confirmationId)).toMatchObject({ decision: { by: { name: 'Ann Approver' }, outcome: 'approved' } });
  });

  it('takes a decline with its reason', async () => {
    const page = await signIn('ann');
    const confirmationId = await proposed('Squeaking door');
    await page.getByText('Change the work item "Squeaking door"').first().click();
    await page.getByRole('button', { name: /^Decline/ }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('Not before spring.');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Decline/ })
      .click();
    await page.getByText('You declined this').waitFor();
    expect(await statusOf(confirmationId)).toMatchObject({ status: 'declined', decision: { reason: 'Not before spring.' } });
  });

  it.each(['light', 'dark'] as const)('can be read by everybody, in %s', async (scheme) => {
    await proposed(`Seen in ${scheme}`);
    const page = await signIn('ann', scheme);
    await page.getByText(`Change the work item "Seen in ${scheme}"`).first().click();
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
  });
});
