import type { Recorded } from '#libs/kernel';
import { Rebuild } from '#libs/projections';
import { settingsFrom } from '../../../apps/server/src/settings.js';
import { startServer } from '../../../apps/server/src/start-server.js';
import { eventually } from '../../support/eventually.js';
import { checkLog } from '../checker/check-log.js';
import type { Violation } from '../checker/violation.js';
import { emptyNotes } from './journalled-client.js';
import { allKinds, KINDS, type Kind } from './kinds.js';
import { assemble, keepBusy } from './load.js';
import { tailLog, type LogTail } from './log-tail.js';
import type { Plant } from './product-copy.js';
import { randomFrom } from './random.js';
import type { Report } from './report.js';
import { createStage, type Stage } from './stage.js';

export type RunOptions = Readonly<{
  minutes: number;
  seed: number;
  /** All, where none are named. None at all: load alone. */
  kinds?: readonly Kind[];
  plant?: Plant;
  /** How many clients are busy at once. */
  width?: number;
  tell?(line: string): void;
  /** Between the faults and the end, while all is well again. */
  during?(stage: Stage): Promise<void>;
}>;

const LOOK_MS = 15_000;

/**
 * Two servers on one PostgreSQL under the load of clients that retry, faults one after the other for as many minutes, then peace, and
 * the judgement of the log. Choices follow from the seed; what they meet does not.
 */
export const runFaults = async (options: RunOptions): Promise<Report> => {
  const { minutes, seed, kinds = allKinds, plant, width = 6, tell = () => undefined } = options;
  const began = Date.now();
  const random = randomFrom(seed);
  const at = () => `${((Date.now() - began) / 1000).toFixed(1).padStart(6)} s`;
  const stage = await createStage({ ...(plant && { plant }), diskMegabytes: 400 + Math.ceil(100 * minutes) });
  const notes = emptyNotes();
  const made: Partial<Record<Kind, number>> = {};
  const skipped: string[] = [];
  const giveUp = new AbortController();
  const over = new AbortController();
  let found: Violation[] = [];
  let tail: LogTail | undefined;
  try {
    tell(`${at()}  seed ${seed}, ${minutes} minutes of ${kinds.join(', ')}${plant ? `, with a planted bug: ${plant}` : ''}`);
    tail = await tailLog(stage.urls);
    const players = await assemble(stage, notes, random.fork(), giveUp.signal);
    let failed: unknown;
    const busy = keepBusy(players, random.fork(), { width, over: over.signal });
    busy.catch((error: unknown) => (failed = error));

    const usable = kinds.filter((kind) => {
      const why = (KINDS[kind] as { skip?(stage: Stage): string | undefined }).skip?.(stage);
      if (why !== undefined) skipped.push(`${kind}: ${why}`);
      return why === undefined;
    });
    const until = Date.now() + minutes * 60_000;
    let bag: Kind[] = [];
    for (let looked = Date.now(); Date.now() < until && failed === undefined && found.length === 0;) {
      if (usable.length > 0) {
        if (bag.length === 0) bag = random.shuffled(usable);
        const kind = bag.pop()!;
        const done = await KINDS[kind].make(stage, random.fork());
        made[kind] = (made[kind] ?? 0) + 1;
        tell(`${at()}  ${kind}: ${done}`);
      }
      // A fault while nobody is there to meet it teaches nothing.
      await Promise.race(stage.actors.map((actor) => actor.ready()));
      await new Promise((resolve) => setTimeout(resolve, random.between(200, 1_200)));
      if (Date.now() - looked > (plant ? LOOK_MS / 3 : LOOK_MS)) {
        found = judgeNow(await tail.read());
        looked = Date.now();
      }
    }
    const foundAfter = found.length > 0 ? Date.now() - began : undefined;
    over.abort();
    tell(`${at()}  no more faults; what is under way comes to its end`);
    await Promise.all(stage.actors.map((actor) => actor.ready()));
    await options.during?.(stage);
    // With a bug that was found nothing more is to be learnt.
    let done = { trips: 0, edits: 0 };
    let differences: string[] = [];
    if (found.length === 0) {
      done = await busy.catch((error: unknown) => {
        found.push({ rule: 'unfinished', place: 'clients', detail: String(error) });
        return done;
      });
      differences = await settle(stage, tail);
    } else giveUp.abort(new Error('A violation was found.'));
    const log = await tail.read();
    const journal = { asked: notes.asked, acknowledged: notes.acknowledged, refused: notes.refused };
    if (found.length === 0 || foundAfter === undefined) found.push(...checkLog(log, { journal, atRest: true }));
    found.push(...notes.wrong.splice(0));
    found.push(...stage.died.map((detail): Violation => ({ rule: 'processes', place: 'server', detail })));
    found.push(...differences.map((detail): Violation => ({ rule: 'read-models', place: 'rebuild', detail })));
    return {
      seed,
      minutes: Math.round((Date.now() - began) / 6_000) / 10,
      events: log.length,
      faults: made,
      skipped,
      kills:
        (made.kill ?? 0) + 2 * (made['kill-both'] ?? 0) + (made.clock ?? 0) + (made['postgres-kill'] ?? 0) + (made['backend-kill'] ?? 0),
      trips: done.trips,
      edits: done.edits,
      commands: notes.asked.size,
      acknowledged: notes.acknowledged.length,
      refusedChecked: notes.refused.length,
      answers: Object.fromEntries([...notes.counts].sort()),
      violations: found,
      ...(foundAfter !== undefined && { foundAfterMs: foundAfter }),
    };
  } finally {
    over.abort();
    giveUp.abort(new Error('The run is over.'));
    await tail?.close();
    await stage.close();
  }

  /** What can be judged while clients still write: an event may be there before its answer is. */
  function judgeNow(log: readonly Recorded[]): Violation[] {
    const seen = new Set(log.map(({ meta }) => meta.commandId));
    const acknowledged = notes.acknowledged.filter(({ commandId }) => seen.has(commandId));
    return [...checkLog(log, { journal: { asked: notes.asked, acknowledged, refused: [] } }), ...notes.wrong];
  }
};

/** Waits until nothing moves any more; answers where read models are other than what a rebuild gives. */
const settle = async (stage: Stage, tail: LogTail): Promise<string[]> => {
  let last = -1;
  await eventually(async () => {
    const log = await tail.read();
    const quiet = log.length === last && checkLog(log, { atRest: true }).every(({ rule }) => rule !== 'unfinished');
    last = log.length;
    if (!quiet) await new Promise((resolve) => setTimeout(resolve, 1_000));
    return quiet;
  }, 60_000).catch(() => undefined); // the checker says what is not finished
  const settings = settingsFrom({ LOG_LEVEL: 'error', WORKBENCH_BOOTSTRAP: 'none' });
  const observer = await startServer({ ...settings, database: stage.urls, roles: { api: false, worker: false } });
  try {
    await eventually(async () => (await stage.cast.otto.get('/health/ready')).status === 200, 60_000);
    const differences = await observer.app.get(Rebuild).verify();
    return differences.map(
      ({ table, onlyInFirst, onlyInSecond, example }) => `${table}: ${onlyInFirst} and ${onlyInSecond} rows differ, as ${example}`,
    );
  } finally {
    await observer.stop();
  }
};
