import type { Pool } from 'pg';
import type { EncodedEvent, Position } from '#libs/kernel';

/** One append, encoded. */
export type Append = Readonly<{ stream: string; expected: bigint; events: readonly EncodedEvent[] }>;

/** Where an event of an append lies, and when it was recorded. */
export type Place = Readonly<{ revision: bigint; position: Position; recordedAt: string }>;

/** `places`: of each event of the append, in its order. */
export type Outcome =
  | Readonly<{ outcome: 'appended' | 'repeat'; places: readonly Place[] }>
  | Readonly<{ outcome: 'conflict'; actual: bigint }>
  | Readonly<{ outcome: 'duplicate'; eventId: string }>;

type Row = Readonly<{
  item: number;
  outcome: Outcome['outcome'];
  revision: string;
  position: string;
  recorded_at: string;
  duplicate: string;
}>;

/** One call, one commit; sorted by stream by the caller. Fails when the server has not answered after `timeout` ms, which leaves open what became of it. */
export async function appendMany(pool: Pool, appends: readonly Append[], timeout: number): Promise<Outcome[]> {
  const events = appends.flatMap((append) => append.events);
  const { rows } = await pool.query<Row>({
    name: 'es.append',
    text: 'select * from es.append($1, $2, $3, $4, $5, $6, $7)',
    values: [
      appends.map(({ stream }) => stream),
      appends.map(({ expected }) => expected.toString()),
      appends.map((append) => append.events.length),
      events.map(({ id }) => id),
      events.map(({ type }) => type),
      events.map(({ data }) => data),
      events.map(({ meta }) => meta),
    ],
    ...{ query_timeout: timeout }, // known to pg, not to its types
  });
  const rowsOf = appends.map((): Row[] => []);
  for (const row of rows) rowsOf[row.item - 1]!.push(row);
  return rowsOf.map(toOutcome);
}

const toOutcome = (rows: readonly Row[]): Outcome => {
  const { outcome, revision, duplicate } = rows[0]!;
  switch (outcome) {
    case 'appended':
    case 'repeat':
      return {
        outcome,
        places: rows.map((row) => ({ revision: BigInt(row.revision), position: row.position, recordedAt: row.recorded_at })),
      };
    case 'conflict':
      return { outcome, actual: BigInt(revision) };
    case 'duplicate':
      return { outcome, eventId: duplicate };
  }
};
