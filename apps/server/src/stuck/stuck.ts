import { EventTypes } from '#libs/kernel';
import { openPostgresEventStore } from '#libs/event-store';
import { Positions, ProjectionStatus } from '#libs/projections';
import { openPostgres } from '../copy-events/places.js';

const USAGE = `npm run stuck                      which projections and reactors are stuck, at which event and why
npm run stuck -- retry NAME        lets it try again, after the cause is mended
npm run stuck -- skip NAME POSITION  lets it pass over this event for good; on record in workbench.skipped_events

Run it where the server runs, with the same DATABASE_URL or WORKBENCH_DATA; servers may run meanwhile.`;

/** What an operator of the installation can do about a projection or reactor that is stuck; answers the exit code. */
export async function stuck(
  [verb = 'list', name, position]: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  print: (line: string) => void,
): Promise<number> {
  const wanted = { list: 0, retry: 1, skip: 2 }[verb];
  const given = [name, position].filter((argument) => argument !== undefined).length;
  if (wanted === undefined || wanted !== given) {
    print(USAGE);
    return 2;
  }
  const { database, close } = await openPostgres(environment['DATABASE_URL'] ? 'DATABASE_URL' : 'embedded', environment);
  const store = await openPostgresEventStore(database, new EventTypes());
  const now = () => new Date().toISOString();
  const positions = new Positions({ projector: database.projector, store, now, listen: () => () => undefined });
  const status = new ProjectionStatus({ projector: database.projector, positions, now, leading: () => false, storeTroubles: () => [] });
  try {
    if (verb === 'retry') await status.retry(name!);
    if (verb === 'skip') await status.skip(name!, position!);
    const { projections, reactors } = await status.read();
    const faulted = projections.filter(({ state }) => state === 'faulted');
    for (const one of faulted) print(`projection ${one.name} at ${one.failedAt ?? 'its rebuild'}: ${one.reason}`);
    for (const { name: reactor, parked } of reactors)
      for (const event of parked)
        print(`reactor ${reactor} at ${event.position} (${event.type} of ${event.stream}), tried ${event.attempts} times: ${event.reason}`);
    if (faulted.length === 0 && reactors.every(({ parked }) => parked.length === 0)) print('Nothing is stuck.');
    return 0;
  } catch (error) {
    print(error instanceof Error ? error.message : String(error));
    return 1;
  } finally {
    positions.stop();
    store.close();
    await close();
  }
}
