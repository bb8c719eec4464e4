import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, ensureBuilt, fail } from './prepare.mjs';

// npm run docs: writes what follows from the code. With --check: writes nothing and fails where a file is stale.
await ensureBuilt();
const { eventsDocument } = await import('./docs/events.mjs');
const { openApiText } = await import('./docs/openapi.mjs');

const files = {
  'docs/events.md': eventsDocument(ROOT),
  'docs/openapi.json': await openApiText(),
};
const stale = Object.entries(files).filter(
  ([name, text]) => !existsSync(join(ROOT, name)) || readFileSync(join(ROOT, name), 'utf8') !== text,
);
if (process.argv.includes('--check')) {
  if (stale.length > 0) fail(`Stale: ${stale.map(([name]) => name).join(', ')}. Run \`npm run docs\` and commit the result.`);
  console.log('The generated documents are fresh.');
} else {
  for (const [name, text] of stale) writeFileSync(join(ROOT, name), text);
  console.log(stale.length > 0 ? `Written: ${stale.map(([name]) => name).join(', ')}.` : 'The generated documents were fresh already.');
}
process.exit(0);
