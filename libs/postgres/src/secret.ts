import type { Database } from './database.js';

/**
 * The named key that all servers of this database share, made by the first to ask. `make` may run on several servers at once; one
 * result is kept, and all get that one.
 */
export async function secret(
  database: Pick<Database, 'projector'>,
  name: string,
  make: () => Uint8Array | Promise<Uint8Array>,
): Promise<Buffer> {
  const find = async () =>
    (await database.projector.query<{ value: Buffer }>('select value from workbench.secrets where name = $1', [name])).rows[0]?.value;
  const known = await find();
  if (known) return known;
  await database.projector.query('insert into workbench.secrets (name, value) values ($1, $2) on conflict (name) do nothing', [
    name,
    Buffer.from(await make()),
  ]);
  return (await find())!;
}
