import { ensureBuilt, exitLike } from './prepare.mjs';

// npm test [-- jest arguments]: all that the tests need is installed and built first, then jest says how it went.
await ensureBuilt();
await exitLike(['node_modules/jest/bin/jest.js', ...process.argv.slice(2)]);
