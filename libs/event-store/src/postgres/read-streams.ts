import type { Pool } from 'pg';
import type { EventRow } from '#libs/kernel';

export const COLUMNS = 'position, stream, revision, event_id, type, data::text as data, meta::text as meta, recorded_at';

/** A stream from revision `since` on. */
export type StreamRead = Readonly<{ stream: string; since: string }>;

/** Of each read its rows in the order of the stream, in one round trip; what is asked several times is read once. */
export async function readStreams(pool: Pool, reads: readonly StreamRead[]): Promise<(readonly EventRow[])[]> {
  const places = new Map<string, number>();
  const different = reads.filter((read) => {
    const key = keyOf(read);
    return !places.has(key) && places.set(key, places.size);
  });
  const found = different.length === 1 ? [await readOne(pool, different[0]!)] : await readMany(pool, different);
  return reads.map((read) => found[places.get(keyOf(read))!]!);
}

const keyOf = ({ stream, since }: StreamRead): string => `${since} ${stream}`;

const readOne = async (pool: Pool, { stream, since }: StreamRead): Promise<readonly EventRow[]> => {
  const { rows } = await pool.query<EventRow>({
    name: 'es.read_stream',
    text: `select ${COLUMNS} from es.events where stream = $1 and revision >= $2 order by revision`,
    values: [stream, since],
  });
  return rows;
};

const readMany = async (pool: Pool, reads: readonly StreamRead[]): Promise<(readonly EventRow[])[]> => {
  const { rows } = await pool.query<EventRow & { nth: string }>({
    name: 'es.read_streams',
    text: 'select * from es.read_streams($1, $2)',
    values: [reads.map(({ stream }) => stream), reads.map(({ since }) => since)],
  });
  const found = reads.map((): EventRow[] => []);
  for (const row of rows) found[Number(row.nth) - 1]!.push(row);
  return found;
};
