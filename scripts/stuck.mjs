import { ROOT, ensureBuilt } from './prepare.mjs';

// npm run stuck [-- retry NAME | skip NAME POSITION]
process.chdir(ROOT);
await ensureBuilt();
process.setSourceMapsEnabled(true);
const { stuck } = await import('../dist/apps/server/src/stuck/stuck.js');
process.exit(await stuck(process.argv.slice(2), process.env, (line) => console.log(line)));
