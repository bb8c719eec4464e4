import type { Pool } from 'pg';
import type { EncodedEvent, Position } from '#libs/kernel';

/** One append, encoded. */
export type Append = Readonly<{ stream: string; expected: bigint; events: readonly EncodedEvent[] }>;

export type Outcome =
  | Readonly<{ outcome: 'appended' | 'repeat'; revision: bigint; position: Position }>
  | Readonly<{ outcome: 'conflict'; actual: bigint }>
  | Readonly<{ outcome: 'duplicate'; eventId: string }>;

type Row = Readonly<{ outcome: Outcome['outcome']; at_revision: string; at_position: string; duplicate: string }>;

/** One call, one commit; sorted by stream by the caller. Fails when the server has not answered after `timeout` ms, which leaves open what became of it. */
export async function appendMany(pool: Pool, appends: readonly Append[], timeout: number): Promise<Outcome[]> {
  const events = appends.flatMap((append) => append.events);
  const { rows } = await pool.query<Row>({
    name: 'es.append_many',
    text: 'select * from es.append_many($1, $2, $3, $4, $5, $6, $7)',
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
  return rows.map(toOutcome);
}

const toOutcome = ({ outcome, at_revision, at_position, duplicate }: Row): Outcome => {
  switch (outcome) {
    case 'appended':
    case 'repeat':
      return { outcome, revision: BigInt(at_revision), position: at_position };
    case 'conflict':
      return { outcome, actual: BigInt(at_revision) };
    case 'duplicate':
      return { outcome, eventId: duplicate };
  }
};
