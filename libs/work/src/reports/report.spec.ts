import { sha256 } from '#libs/kernel';
import { given } from '#libs/kernel/testing';
import { taskDecider } from '../task.decider.js';
import {
  ada,
  agent,
  at,
  atom,
  bo,
  changed,
  claim,
  digestIn,
  leased,
  playOn,
  queued,
  report,
  reported,
  reportDigest,
  ship,
  olga,
  stateOf,
  verified,
} from '../testing/tasks.js';
import { differences, outOfScope } from './changed-paths.js';
import { MAX_STATEMENT_BYTES } from './statement-size.js';
import { work } from '../testing/tasks.js';

describe('A report', () => {
  it('ends the lease', () => expect(stateOf(reported)).toMatchObject({ status: 'reported', report: { fence: '1', by: 'ada' } }));
  it('says by whom, with the lineage of that moment and the conversation that was declared at the claim', () => {
    const talking = playOn(queued, claim(ada, { conversationId: 'talk', model: 'm-1' }));
    const moved = agent('ada', { lineage: { accountableHuman: 'human-of-ada', sessions: ['root', 'child'] } });
    expect(playOn(talking, report(moved, { fence: '1' })).at(-1)?.data).toMatchObject({
      by: { principalId: 'ada', sessions: ['root', 'child'], conversations: ['talk'], model: 'm-1' },
    });
  });
  it('is no more than the reporter’s own word', () =>
    expect(reported.at(-1)?.data).toMatchObject({ evidence: [{ provenance: 'self_reported' }, { provenance: 'self_reported' }] }));
  it('names at least one artifact', () =>
    given(taskDecider, ...leased)
      .when(report(ada, { fence: '1', artifacts: [] }))
      .thenRefused('report/no-artifact'));
  it.each([
    ['both a path and a URI', { path: 'a', uri: 'https://example.org/a' }],
    ['neither a path nor a URI', {}],
  ])('names no artifact with %s', (_, place) =>
    given(taskDecider, ...leased)
      .when(report(ada, { fence: '1', artifacts: [{ ...place, mediaType: 'text/plain', size: 1, sha256: sha256('a') }] }))
      .thenRefused('report/artifact-place'),
  );
  it('that touches a path outside the scope is refused, naming it', () => {
    const { decision, thenRefused } = given(taskDecider, ...leased).when(
      report(ada, { fence: '1', changedPaths: [...changed, { path: 'package.json', change: 'modified' }] }),
    );
    thenRefused('report/out-of-scope');
    expect(decision.refusal?.facts).toMatchObject({ paths: ['package.json'] });
  });
  it('that moves a file out of the scope is refused', () =>
    given(taskDecider, ...leased)
      .when(report(ada, { fence: '1', changedPaths: [{ path: 'src/in.ts', from: 'lib/out.ts', change: 'renamed' }] }))
      .thenRefused('report/out-of-scope'));
  it('is no larger than its receipt could hold', () => {
    const summary = '漢'.repeat(Math.ceil(MAX_STATEMENT_BYTES / 3));
    const { decision, thenRefused } = given(taskDecider, ...leased).when(report(ada, { fence: '1', summary }));
    thenRefused('report/too-large');
    expect(decision.refusal).toMatchObject({ kind: 'too_large', facts: { limit: MAX_STATEMENT_BYTES } });
    given(taskDecider, ...leased)
      .when(report(ada, { fence: '1', summary: summary.slice(300) }))
      .thenTypes('WorkReported');
  });
  it('is handed in by the holder', () =>
    given(taskDecider, ...leased)
      .when(report(bo, { fence: '1' }))
      .thenRefused('lease/not-holder'));
  it('is handed in once under a fence', () =>
    given(taskDecider, ...reported)
      .when(report(ada, { fence: '1' }))
      .thenRefusedAndRecorded('lease/lost', 'StaleLeaseRejected'));

  // C09
  it('that is newer voids the verdict on the older one', () => {
    const amended = playOn(verified, claim(ada, {}, { at: at(1) }), report(ada, { fence: '3', summary: 'Better.' }));
    expect(stateOf(amended)).toMatchObject({ status: 'reported', report: { fence: '3' } });
    given(taskDecider, ...amended)
      .when(ship(olga, {}))
      .thenRefused('ship/not-verified');
  });
  it('has another digest when anything in it differs, be it only the fence', () => {
    const digests = [
      reportDigest,
      digestIn(playOn(leased, report(ada, { fence: '1', summary: 'Other.' }))),
      digestIn(playOn(leased, report(ada, { fence: '1', evidence: [atom('0', { testsRun: 4 })] }))),
      digestIn(playOn(leased, report(ada, { fence: '1', revision: 'e'.repeat(40) }))),
      digestIn(playOn(verified, claim(ada, {}), report(ada, { fence: '3' }))),
    ];
    expect(new Set(digests).size).toBe(digests.length);
  });
});

describe('Changed paths', () => {
  it('are outside the scope by either side of a rename', () =>
    expect(
      outOfScope(
        [
          { path: 'src/a', change: 'added' },
          { path: 'srcs/a', change: 'added' },
          { path: 'src/b', from: 'etc/b', change: 'renamed' },
        ],
        work,
      ),
    ).toEqual(['etc/b', 'srcs/a']));
  it('differ by what is hidden and what is claimed', () =>
    expect(
      differences(
        [
          { path: 'a', change: 'modified' },
          { path: 'b', change: 'added' },
        ],
        [
          { path: 'a', change: 'modified' },
          { path: 'a', change: 'mode' },
        ],
      ),
    ).toEqual({ hidden: ['mode a'], claimed: ['added b'] }));
  it('hide something where a rename names no other side, and where what is no rename names one', () => {
    const computed = [{ path: 'new', from: 'old', change: 'renamed' as const }];
    expect(differences([{ path: 'new', change: 'renamed' }], computed).hidden).toEqual(['added new', 'deleted old']);
    expect(differences([{ path: 'new', from: 'old', change: 'modified' }], computed)).toEqual({
      hidden: ['added new', 'deleted old'],
      claimed: ['modified new'],
    });
  });
  it('are the same whether a rename is told as one or as its two sides', () =>
    expect(
      differences(
        [{ path: 'new', from: 'old', change: 'renamed' }],
        [
          { path: 'old', change: 'deleted' },
          { path: 'new', change: 'added' },
        ],
      ),
    ).toEqual({ hidden: [], claimed: [] }));
});
