import 'reflect-metadata';
import { inspect } from 'node:util';
import { settingsFrom } from './settings.js';
import { startServer } from './start-server.js';
import { showFirstSteps } from './first-steps.js';

/** Errors that are thrown on purpose say what to change, and need no stack beside that; of any other one all is shown. */
const refuse = (error: unknown): never => {
  const onPurpose = error instanceof Error && error.constructor === Error && process.env['LOG_LEVEL'] !== 'debug';
  process.stderr.write(`${onPurpose ? error.message : inspect(error)}\n`);
  process.exit(1);
};
const start = async () => {
  const settings = settingsFrom(process.env);
  return { settings, server: await startServer(settings) };
};
const { settings, server } = await start().catch(refuse);
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
