import { ROOT, assertNode, ensureBuilt } from './prepare.mjs';

// npm start: from a fresh clone to a running server. The server runs in this very process, so signals reach it undelayed.
assertNode();
process.chdir(ROOT);
ensureBuilt();
process.setSourceMapsEnabled(true);
await import('../dist/apps/server/src/main.js');
