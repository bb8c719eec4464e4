// The real server, except that the process kills itself where WORKBENCH_CRASH says: `before:<EventType>` just before the
// store would append that event, `after:<EventType>` when it is durable and nobody has been told.
import 'reflect-metadata';
import { writeFileSync, existsSync } from 'node:fs';
import { showFirstSteps } from '../../dist/apps/server/src/first-steps.js';
import { settingsFrom } from '../../dist/apps/server/src/settings.js';
import { startServer } from '../../dist/apps/server/src/start-server.js';
import { PostgresEventStore } from '../../dist/libs/event-store/src/index.js';

const [when, type] = process.env.WORKBENCH_CRASH.split(':');
const once = process.env.WORKBENCH_CRASHED;
const append = PostgresEventStore.prototype.append;
const die = () => {
  writeFileSync(once, type);
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
};
PostgresEventStore.prototype.append = async function (stream, events, expected) {
  const meant = !existsSync(once) && events.some((event) => event.type === type);
  if (meant && when === 'before') return die();
  const result = await append.call(this, stream, events, expected);
  return meant ? die() : result;
};

const settings = settingsFrom(process.env);
await showFirstSteps(settings, await startServer(settings));
