import { given } from '#libs/kernel/testing';
import { taskDecider } from '../task.decider.js';
import {
  ada,
  claim,
  olga,
  playOn,
  queued,
  receipt,
  rejected,
  reported,
  ship,
  shipped,
  stateOf,
  system,
  TREE,
  unverifiable,
  verified,
  verifying,
} from '../testing/tasks.js';

const OTHER = 'e'.repeat(40);

describe('Shipping', () => {
  it('takes the verified commit', () =>
    given(taskDecider, ...verified)
      .when(ship(olga, {}))
      .thenTypes('WorkShipped'));
  it('says where it can be seen, if anywhere', () => {
    const url = 'https://example.org/merge/1';
    expect(playOn(verified, ship(olga, { url })).at(-1)?.data).toMatchObject({ url, tree: TREE, by: 'olga' });
    expect(shipped.at(-1)?.data).not.toHaveProperty('url');
  });
  it('takes another commit with the identical tree', () => {
    given(taskDecider, ...verified)
      .when(ship(olga, { revision: OTHER, tree: TREE, url: 'https://example.org/merge/1' }))
      .thenTypes('WorkShipped');
  });
  it.each([
    ['another tree', { revision: OTHER, tree: OTHER }],
    ['a tree that nobody could read', { revision: OTHER }],
  ])('takes no commit with %s', (_, data) =>
    given(taskDecider, ...verified)
      .when(ship(olga, data))
      .thenRefused('ship/revision-mismatch'),
  );
  it.each([
    ['queued', queued],
    ['reported', reported],
    ['being verified', verifying],
    ['rejected', rejected],
    ['unverifiable', unverifiable],
    ['being amended', playOn(verified, claim(ada, {}))],
  ])('waits for a standing verdict while the task is %s', (_, history) =>
    given(taskDecider, ...history)
      .when(ship(olga, {}))
      .thenRefused('ship/not-verified'),
  );
  it('happens once, and says who did it and when', () => {
    const { decision, thenRefused } = given(taskDecider, ...shipped).when(ship(olga, {}));
    thenRefused('ship/shipped');
    expect(decision.refusal?.facts).toMatchObject({ revision: 'c'.repeat(40), by: 'olga' });
  });
});

describe('A receipt', () => {
  it('ends the task', () => {
    given(taskDecider, ...shipped)
      .when(receipt(system, {}))
      .thenTypes('ReceiptIssued');
    expect(stateOf(playOn(shipped, receipt(system, {})))).toMatchObject({ status: 'shipped', receiptId: 'receipt' });
  });
  it('is issued by the product only', () =>
    given(taskDecider, ...shipped)
      .when(receipt(olga, {}))
      .thenRefused('receipt/service-only'));
  it('is issued for shipped work only', () =>
    given(taskDecider, ...verified)
      .when(receipt(system, {}))
      .thenRefused('receipt/not-shipped'));
  it('is issued once', () =>
    given(taskDecider, ...playOn(shipped, receipt(system, {})))
      .when(receipt(system, {}))
      .thenRefused('receipt/issued'));
});
