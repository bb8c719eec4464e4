import { ensureBuilt } from './prepare.mjs';

// npm run verify-receipt FILE -- --key FILE [--artifacts DIR]. npm runs this in the project's folder; names are meant from where it was called.
await ensureBuilt();
const { verifyReceipt } = await import('../dist/libs/audit/src/verify-receipt.js');
process.exitCode = verifyReceipt(process.argv.slice(2), process.env.INIT_CWD ?? process.cwd(), (line) => console.log(line));
