import { ROOT, ensureBuilt } from './prepare.mjs';

// npm run demo: the whole round trip against the server that `npm start` runs.
process.chdir(ROOT);
await ensureBuilt();
process.setSourceMapsEnabled(true);
const { demo } = await import('../dist/apps/server/src/demo/demo.js');
process.exitCode = await demo();
