import { clearInterval, setInterval } from 'node:timers';
import { ROOT, assertNode, ensureBuilt } from './prepare.mjs';

// npm start: from a fresh clone to a running server. The server runs in this very process, so signals reach it undelayed.
assertNode();
process.chdir(ROOT);
await ensureBuilt();
process.setSourceMapsEnabled(true);

// npm passes a signal to the shell between us and not to us: when that shell is gone, it was meant for the server.
if (process.env.npm_lifecycle_event) {
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  watch.unref();
}
await import('../dist/apps/server/src/main.js');
