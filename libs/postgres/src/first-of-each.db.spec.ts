import fc from 'fast-check';
import { Column, Entity, PrimaryColumn, type SelectQueryBuilder } from 'typeorm';
import { query } from '../../../test/support/cluster.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { anyOfEach, firstOfEach, openSource, type OneOf } from './index.js';

const [ANN, BOB, CAL] = [1, 2, 3].map((nth) => `0192f0c1-0000-7000-8000-00000000000${nth}`) as [string, string, string];

@Entity('notes')
class Note {
  @PrimaryColumn('uuid', { name: 'note_id' }) noteId!: string;
  @Column('uuid', { name: 'author_id' }) authorId!: string;
  @Column('text') kind!: string;
  @Column('int') rank!: number;
}

describe('The first of each', () => {
  let test: TestDatabase;
  let source: Awaited<ReturnType<typeof openSource>>;
  beforeAll(async () => {
    test = await createTestDatabase();
    await query(
      test.urls.owner,
      `create table read_models.notes (note_id uuid primary key, author_id uuid not null, kind text not null, rank int not null);
       insert into read_models.notes select gen_random_uuid(), (array['${ANN}', '${BOB}']::uuid[])[1 + nth % 2], (array['a', 'b', 'c'])[1 + nth % 3], nth / 7
         from generate_series(1, 6000) nth;
       create index notes_in_order on read_models.notes (author_id, kind, rank desc, note_id);
       grant select on read_models.notes to workbench_projector;
       analyze read_models.notes`,
    );
    source = await openSource(test.urls.projector, { application: 'test' }, { entities: [Note] });
  });
  afterAll(async () => {
    await source.destroy();
    await test.drop();
  });

  const ordered = (limit: number): SelectQueryBuilder<Note> =>
    source.manager.createQueryBuilder(Note, 'note').orderBy('note.rank', 'DESC').addOrderBy('note.noteId', 'ASC').limit(limit);
  const each = (authors: readonly string[], kinds: readonly string[]): OneOf[] => [
    { property: 'authorId', type: 'uuid', values: authors },
    { property: 'kind', type: 'text', values: kinds },
  ];
  const first = (notes: SelectQueryBuilder<Note>, ...of: Parameters<typeof each>) => firstOfEach(notes, 'noteId', ...each(...of));

  it('are those that a search through all of them finds, in its order', async () => {
    const some = <T>(...values: T[]) => fc.subarray(values);
    await fc.assert(
      fc.asyncProperty(
        some(ANN, BOB, CAL),
        some('a', 'b', 'c', 'd'),
        fc.nat({ max: 60 }),
        fc.nat({ max: 900 }),
        async (authors, kinds, limit, below) => {
          const notes = () => ordered(limit).where('note.rank < :below', { below });
          const all = anyOfEach(notes(), ...each(authors, kinds));
          expect(await first(notes(), authors, kinds).getMany()).toEqual(await all.getMany());
        },
      ),
      { numRuns: 50 },
    );
  });

  it('are read from the index, and no others', async () => {
    const [text, values] = first(ordered(10), [ANN, BOB], ['a', 'b', 'c']).getQueryAndParameters();
    const [{ 'QUERY PLAN': plan }] = await source.query<[{ 'QUERY PLAN': unknown }]>(`explain (analyze, format json) ${text}`, values);
    const read = [
      ...JSON.stringify(plan).matchAll(
        /"Node Type":"(?:Seq|Index|Index Only|Bitmap Heap) Scan"[^{}]*?"Actual Rows":([\d.]+)[^{}]*?"Actual Loops":(\d+)/g,
      ),
    ];
    expect(read.length).toBeGreaterThan(0);
    expect(read.reduce((sum, [, rows, loops]) => sum + Number(rows) * Number(loops), 0)).toBeLessThanOrEqual(2 * 6 * 10);
  });
});
