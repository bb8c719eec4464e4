import path from 'node:path';
import { describeWithOwnStores } from './target.js';

/** The same stories as on PostgreSQL, each on an EventStoreDB of its own. Their files read this when they start a server. */
process.env['WORKBENCH_STORE'] = 'eventstoredb';

const STORIES = [
  'test/stories/apart',
  'test/stories/confirmations',
  'test/stories/four-eyes',
  'test/stories/live',
  'test/stories/permissions',
  'test/stories/proposals',
  'test/stories/receipts',
  'test/stories/round-trip',
  'test/stories/time-to-decide',
  'libs/work/src/leases/claiming.db',
  'libs/work/src/work.db',
];

describeWithOwnStores('With an empty store for each product, which one TEST_EVENTSTORE_URL cannot be,', () =>
  describe.each(STORIES)('on EventStoreDB, the story in %s:', (story) => {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- a story describes itself where it is loaded
    require(path.join(__dirname, '../..', `${story}.spec.ts`));
  }),
);
