import 'reflect-metadata';
import { settingsFrom } from './settings.js';
import { startServer } from './start-server.js';
import { showFirstSteps } from './first-steps.js';

const settings = settingsFrom(process.env);
const server = await startServer(settings);
await showFirstSteps(settings, server);

let stopping = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    // A second signal does not wait: the person means it.
    if (stopping) process.exit(1);
    stopping = true;
    server.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  });
