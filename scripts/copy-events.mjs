import { ROOT, ensureBuilt } from './prepare.mjs';

// npm run copy-events -- --from STORE --to STORE [--read-models DATABASE]
process.chdir(ROOT);
await ensureBuilt();
process.setSourceMapsEnabled(true);
const { copyEvents } = await import('../dist/apps/server/src/copy-events/copy-events.js');
process.exit(await copyEvents(process.argv.slice(2), process.env, (line) => console.log(line)));
