import { readdirSync } from 'node:fs';
import path from 'node:path';

/** The same stories as on PostgreSQL, each on an EventStoreDB of its own. Their files read this when they start a workbench. */
process.env['WORKBENCH_STORE'] = 'eventstoredb';

const directory = path.join(__dirname, '../stories');
/** What is thrown at the edge never gets as far as a store, and the other one looks at PostgreSQL's tables. */
const OTHERS = ['openapi-fuzz.spec.ts', 'tenants.spec.ts'];
const stories = readdirSync(directory).filter((name) => name.endsWith('.spec.ts') && !OTHERS.includes(name));

describe.each(stories)('On EventStoreDB, the story in %s:', (story) => {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- a story describes itself where it is loaded
  require(path.join(directory, story));
});
