import fc from 'fast-check';
import { ThingDto, ThingsPage, PartDto } from '../../../../test/support/sample-app.js';
import { bind, faultsOfDto } from './bind.js';
import { digits, time, text } from './rules.js';

const ID = '0196b5a0-0000-7000-8000-000000000001';
const thing = { title: 'Lamp', colour: 'red', tags: ['a'], parts: [{ name: 'bulb', count: 1 }] };
const pointers = async (value: unknown) => (await faultsOfDto(ThingDto, value)).map(({ pointer }) => pointer).sort();

describe('A class of fields', () => {
  it('takes what keeps its rules, as instances down to the leaves', async () => {
    const full = {
      ...thing,
      note: null,
      commands: [['npm', 'test']],
      owner: { id: ID, spares: [{ name: 'fuse', count: 2 }] },
      amount: '9223372036854775807',
      digest: 'a'.repeat(64),
      at: '2026-02-28T23:59:59.999Z',
      urgent: false,
      extra: { constructor: 'Ferrari', deep: [{ toString: 1 }] },
    };
    const { instance, faults } = await bind(ThingDto, full);
    expect(faults).toEqual([]);
    expect(instance).toBeInstanceOf(ThingDto);
    expect(instance.parts[0]).toBeInstanceOf(PartDto);
    expect(instance.owner!.spares![0]).toBeInstanceOf(PartDto);
    expect(JSON.parse(JSON.stringify(instance))).toEqual(full);
  });

  it('names every fault by its place, once', async () => {
    const value = {
      title: ' ',
      note: 5,
      colour: 'blue',
      tags: ['a', 'a'],
      commands: [['x'], []],
      parts: [{ name: 'ok', count: 1 }, { name: '', count: 1.5, more: 1 }, 'no', [{}]],
      owner: { id: 'x', spares: [{ name: 'n' }] },
      amount: '01',
      digest: 'A'.repeat(64),
      at: '2026-02-30T00:00:00Z',
      urgent: 'yes',
      extra: [],
      'a/b~': 1,
    };
    expect(await pointers(value)).toEqual(
      [
        '/amount',
        '/at',
        '/a~1b~0',
        '/colour',
        '/commands/1',
        '/digest',
        '/extra',
        '/note',
        '/owner/id',
        '/owner/spares/0/count',
        '/parts/1/count',
        '/parts/1/more',
        '/parts/1/name',
        '/parts/2',
        '/parts/3',
        '/tags',
        '/title',
        '/urgent',
      ].sort(),
    );
  });

  it('says what is missing, and that a null is not a way to leave a field out', async () => {
    expect(await faultsOfDto(ThingDto, { ...thing, title: undefined, amount: null })).toEqual([
      { pointer: '/title', detail: 'This field is required.' },
      expect.objectContaining({ pointer: '/amount' }),
    ]);
  });

  it.each(['constructor', 'hasOwnProperty', 'toString', '__defineGetter__', 'valueOf'])(
    'has no field %s just because every object has one',
    async (name) => {
      expect(await pointers({ ...thing, [name]: 1 })).toEqual([`/${name}`]);
      expect(await pointers({ ...thing, parts: [{ name: 'a', count: 1, [name]: {} }] })).toEqual([`/parts/0/${name}`]);
    },
  );

  it.each([null, 1, 'x', [], [{}], true])('is not %j', async (value) => expect(await pointers(value)).toEqual(['']));

  it('never throws and never lets an unknown field through, whatever comes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.jsonValue(),
          fc.object(),
          fc.record({ parts: fc.jsonValue(), owner: fc.jsonValue() }).map((wild) => ({ ...thing, ...wild })),
        ),
        async (value) => {
          const { instance, faults } = await bind(ThingDto, value);
          expect(new Set(faults.map(({ pointer }) => pointer)).size).toBe(faults.length);
          for (const key of Object.keys(instance))
            expect([
              'title',
              'note',
              'colour',
              'tags',
              'commands',
              'parts',
              'owner',
              'amount',
              'digest',
              'at',
              'urgent',
              'extra',
            ]).toContain(key);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('reads numbers, flags and lists from the text of a query, and nothing looser', async () => {
    const read = (query: object) => bind(ThingsPage, query, { at: '/query', fromText: true });
    expect((await read({})).instance).toMatchObject({ limit: 50 });
    expect((await read({ limit: '7', urgent: 'true', owners: ID })).instance).toMatchObject({ limit: 7, urgent: true, owners: [ID] });
    for (const limit of ['0', '201', '1.5', '1e2', ' 7', '0x10', '', '007', ['1', '2']])
      expect((await read({ limit })).faults).toMatchObject([{ pointer: '/query/limit' }]);
    expect((await read({ urgent: '1', owners: ['x', ID] })).faults.map(({ pointer }) => pointer)).toEqual(
      expect.arrayContaining(['/query/urgent', '/query/owners/0']),
    );
  });
});

describe('A rule', () => {
  const keeps = (rule: ReturnType<typeof text>, value: unknown) => rule.faults(value, '').length === 0;

  it('counts texts in code points', () => {
    expect(keeps(text({ max: 2 }), '😀😀')).toBe(true);
    expect(keeps(text({ max: 2 }), '😀😀a')).toBe(false);
  });
  it.each(['a\0', '\ud800', '\udc00a'])('lets no text hold NUL or half a character: %j', (value) =>
    expect(keeps(text({ max: 9 }), value)).toBe(false),
  );
  it.each(['-1', 'x', '9223372036854775808', '', '01', '1.0', '1e3', ' 1', '+1', '٣', 1, 1n])('takes %j for no decimal number', (value) =>
    expect(keeps(digits(), value)).toBe(false),
  );
  it.each([
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01',
    '2026-01-01T00:00:00+01:00',
    '2026-02-29T00:00:00Z',
    '2026-01-01T00:00:00.1234Z',
    5,
  ])('takes %j for no time in UTC', (value) => expect(keeps(time(), value)).toBe(false));
});
