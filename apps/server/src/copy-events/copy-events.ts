import { parseArgs } from 'node:util';
import { compare, copy } from './copy.js';
import { HandOver } from './hand-over.js';
import { openPlace, openPostgres } from './places.js';

const USAGE = `npm run copy-events -- --from STORE --to STORE [--read-models DATABASE]

  STORE         esdb://… or postgres://…, the name of an environment variable that holds one, or "embedded" (in WORKBENCH_DATA)
  --read-models the database whose read models were filled from the first store and go on from the second; rebuilt at the next start

Stop every server first. Interrupted, it goes on where it was when it is run again.`;

/** Copies all events from one store into another and proves it; answers the exit code. */
export async function copyEvents(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  print: (line: string) => void,
): Promise<number> {
  const wish = readArguments(argv);
  if (!wish) {
    print(USAGE);
    return 2;
  }
  const closing: (() => Promise<void>)[] = [];
  try {
    const from = await openPlace(wish.from, environment);
    closing.push(() => from.close());
    const to = await openPlace(wish.to, environment);
    closing.push(() => to.close());
    if (from.store.storeId === to.store.storeId) throw new Error('Both are the same store.');

    const began = performance.now();
    let told = began;
    const { found, copied } = await copy(from, to, (count) => {
      if (performance.now() - told < 5_000) return;
      told = performance.now();
      print(`${count} events copied, ${Math.round((count * 1_000) / (told - began))} a second`);
    });
    print(`${found} events were there, ${copied} were copied. Both stores are read and compared:`);

    let readModels = wish.readModels === wish.from ? from.database : wish.readModels === wish.to ? to.database : undefined;
    if (wish.readModels !== undefined && !readModels) {
      const { database, close } = await openPostgres(wish.readModels, environment);
      closing.push(close);
      readModels = database;
    }
    const handOver = readModels && (await HandOver.begin(readModels.projector, from.store, to.store));
    const digests = await compare(from, to, (event, there) => handOver?.pair(event, there));
    print(`  from ${from.store.storeId}: ${digests.from.count} events, SHA-256 ${digests.from.sha256}`);
    print(`  to   ${to.store.storeId}: ${digests.to.count} events, SHA-256 ${digests.to.sha256}`);
    await handOver?.finish();
    print(handOver ? 'The read models go on from the copy; the next start rebuilds them.' : 'They are the same.');
    return 0;
  } catch (error) {
    print(error instanceof Error ? error.message : String(error));
    return 1;
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

type Wish = Readonly<{ from: string; to: string; readModels: string | undefined }>;

const readArguments = (argv: readonly string[]): Wish | undefined => {
  const text = { type: 'string' } as const;
  try {
    const {
      from,
      to,
      'read-models': readModels,
    } = parseArgs({ args: [...argv], options: { from: text, to: text, 'read-models': text } }).values;
    return from === undefined || to === undefined ? undefined : { from, to, readModels };
  } catch {
    return undefined;
  }
};
