import { given } from '#libs/kernel/testing';
import { taskDecider } from '../task.decider.js';
import {
  ada,
  at,
  atom,
  bo,
  changed,
  claim,
  digestIn,
  leased,
  LEASE_MS,
  expire,
  playOn,
  queue,
  queued,
  play,
  rejected,
  report,
  reported,
  reportDigest,
  shipped,
  stateOf,
  system,
  take,
  TREE,
  unverifiable,
  vera,
  verdict,
  verified,
  verifierAgent,
  verifying,
  work,
  worker,
} from '../testing/tasks.js';
import { MAX_STATEMENT_BYTES } from '../reports/statement-size.js';

const judge = (over: Partial<Parameters<typeof verdict>[1]>) => verdict(vera, { fence: '2', reportDigest, ...over });
const findings = [{ code: 'greeting', detail: 'It greets nobody.' }];

describe('A verification', () => {
  it('is of exactly the report that it took', () =>
    expect(verifying.at(-1)).toMatchObject({
      type: 'VerificationGranted',
      data: { leaseId: 'test.2', reportDigest, expiresAt: at(LEASE_MS) },
    }));
  // C09
  it.each([
    ['nothing is reported', queued],
    ['someone still works on it', leased],
  ])('is not given while %s', (_, history) =>
    given(taskDecider, ...history)
      .when(take(vera, {}))
      .thenRefused('verification/not-reported'),
  );
  it('is given to one at a time', () =>
    given(taskDecider, ...verifying)
      .when(take(verifierAgent('victor'), {}))
      .thenRefused('verification/taken'));
  it('is not given where the work was shipped', () =>
    given(taskDecider, ...shipped)
      .when(take(worker, {}))
      .thenRefused('verification/decided'));
  it('is not given where the verdict stands', () =>
    given(taskDecider, ...verified)
      .when(take(worker, {}))
      .thenRefused('verification/decided'));
  it('goes to another verifier when the first one dies', () =>
    given(taskDecider, ...playOn(verifying, expire(system, { fence: '2' }, { at: at(LEASE_MS) })))
      .when(take(worker, {}))
      .thenTypes('VerificationGranted'));
  it('of an unverifiable report is for humans', () => {
    given(taskDecider, ...unverifiable)
      .when(take(worker, {}))
      .thenRefused('verification/human-only');
    given(taskDecider, ...unverifiable)
      .when(take(vera, {}))
      .thenTypes('VerificationGranted');
  });
});

describe('A verdict', () => {
  it('verifies a report whose paths match and whose every check passed in a run that is not the reporter’s own', () => {
    given(taskDecider, ...verifying)
      .when(judge({}))
      .thenTypes('WorkVerified');
    expect(verified.at(-1)?.data).toMatchObject({ reportDigest, tree: TREE, evidence: [{ provenance: 'human' }, { provenance: 'human' }] });
    expect(stateOf(verified).status).toBe('verified');
  });
  it('rejects with findings, and the task is queued again', () => {
    given(taskDecider, ...verifying)
      .when(judge({ verdict: 'rejected', findings }))
      .thenTypes('WorkRejected');
    expect(stateOf(rejected)).toMatchObject({ status: 'queued' });
  });
  it('that verifies is no larger than its receipt could hold', () => {
    const many = [{ code: 'note', detail: 'x'.repeat(MAX_STATEMENT_BYTES) }];
    given(taskDecider, ...verifying)
      .when(judge({ findings: many }))
      .thenRefused('verdict/too-large');
    given(taskDecider, ...verifying)
      .when(judge({ verdict: 'rejected', findings: many }))
      .thenTypes('WorkRejected');
  });
  it('rejects nothing without a finding', () =>
    given(taskDecider, ...verifying)
      .when(judge({ verdict: 'rejected' }))
      .thenRefused('verdict/no-findings'));
  // C09
  it('that it cannot be judged here is never a pass', () => {
    given(taskDecider, ...verifying)
      .when(judge({ verdict: 'unverifiable' }))
      .thenTypes('WorkUnverifiable');
    expect(stateOf(unverifiable).status).toBe('unverifiable');
  });
  it('on another report is refused', () =>
    given(taskDecider, ...verifying)
      .when(judge({ reportDigest: '0'.repeat(64) }))
      .thenRefused('verdict/other-report'));
  it('on a report that was replaced is refused', () => {
    const amended = playOn(reported, claim(ada, {}), report(ada, { fence: '2' }), take(vera, {}));
    expect(digestIn(amended)).not.toBe(reportDigest);
    given(taskDecider, ...amended)
      .when(verdict(vera, { fence: '3', reportDigest }))
      .thenRefused('verdict/other-report');
  });
  it('comes from the verifier that holds the verification', () =>
    given(taskDecider, ...verifying)
      .when(verdict(worker, { fence: '2', reportDigest }))
      .thenRefused('lease/not-holder'));
  it('is not given under a lease for implementation', () =>
    given(taskDecider, ...leased)
      .when(verdict(ada, { fence: '1', reportDigest }))
      .thenRefused('lease/other-kind'));

  describe('finds no difference between git and the report, else it can only reject', () => {
    it.each([
      ['a path that the report hides', [...changed, { path: 'src/secret.ts', change: 'added' as const }]],
      ['a change of mode that the report hides', [...changed, { path: 'src/greet.ts', change: 'mode' as const }]],
      ['nothing of what the report claims', []],
      ['a path outside the scope', [...changed, { path: 'etc/passwd', change: 'added' as const }]],
    ])('where git shows %s', (_, changedPaths) => {
      given(taskDecider, ...verifying)
        .when(judge({ changedPaths }))
        .thenRefused('verdict/paths-differ');
      given(taskDecider, ...verifying)
        .when(judge({ changedPaths, verdict: 'rejected', findings }))
        .thenTypes('WorkRejected');
    });
  });

  describe('needs evidence for each required check', () => {
    it.each([
      ['missing', []],
      ['missing', [atom('0')]],
      ['missing', [atom('0'), atom('npm run build')]],
      ['failed', [atom('0'), atom('1', { status: 'failed' })]],
      ['skipped', [atom('0'), atom('1', { status: 'skipped' })]],
      ['exit_code', [atom('0'), atom('1', { exitCode: 1 })]],
      ['zero_tests', [atom('0'), atom('1', { testsRun: 0 })]],
      ['unreadable', [atom('0'), atom('1', { outputSha256: 'f'.repeat(64) })]],
    ])('that is not %s', (why, evidence) => {
      const { decision, thenRefused } = given(taskDecider, ...verifying).when(judge({ evidence }));
      thenRefused('verdict/evidence-missing');
      expect(decision.refusal?.facts?.['missing']).toContainEqual({ check: 'npm run lint', why });
    });
    it('by its index or its words', () =>
      given(taskDecider, ...verifying)
        .when(judge({ evidence: [atom('npm test'), atom('1')] }))
        .thenTypes('WorkVerified'));
    it('with or without a count of tests', () =>
      given(taskDecider, ...verifying)
        .when(judge({ evidence: [atom('0'), atom('1', { testsRun: undefined })] }))
        .thenTypes('WorkVerified'));
    it('which an agent’s word is not', () => {
      const agent = verifierAgent('victor');
      const { decision } = given(taskDecider, ...playOn(reported, take(agent, {}))).when(verdict(agent, { fence: '2', reportDigest }));
      expect(decision.refusal?.facts?.['missing']).toContainEqual({ check: 'npm test', why: 'self_reported' });
    });
    it('which a re-run by the product’s own worker is', () =>
      expect(playOn(reported, take(worker, {}), verdict(worker, { fence: '2', reportDigest })).at(-1)).toMatchObject({
        type: 'WorkVerified',
        data: { evidence: [{ provenance: 'server_rerun' }, { provenance: 'server_rerun' }] },
      }));
    it('which an agent’s is not, whatever its credential is said to be capable of', () => {
      const agent = verifierAgent('victor', { capabilities: ['verification-worker'] });
      given(taskDecider, ...playOn(reported, take(agent, {})))
        .when(verdict(agent, { fence: '2', reportDigest }))
        .thenRefused('verdict/evidence-missing');
    });
    it('and takes no service for the worker that lacks the capability', () => {
      const other = { ...worker, id: 'other', credentialId: 'other', capabilities: [] };
      given(taskDecider, ...playOn(reported, take(other, {})))
        .when(verdict(other, { fence: '2', reportDigest }))
        .thenRefused('verdict/evidence-missing');
    });
    it('and at least one run where the scope requires no check', () => {
      const free = play(queue(system, { work: { ...work, checks: [] } }), claim(bo, {}), report(bo, { fence: '1' }), take(vera, {}));
      const of = { fence: '2', reportDigest: digestIn(free) };
      given(taskDecider, ...free)
        .when(verdict(vera, { ...of, evidence: [] }))
        .thenRefused('verdict/evidence-missing');
      given(taskDecider, ...free)
        .when(verdict(vera, { ...of, evidence: [atom('read by eye')] }))
        .thenTypes('WorkVerified');
    });
    it('and no label that two checks share', () => {
      const twins = play(
        queue(system, { work: { ...work, checks: [['npm', 'test'], ['npm test']] } }),
        claim(bo, {}),
        report(bo, { fence: '1' }),
        take(vera, {}),
      );
      const of = { fence: '2', reportDigest: digestIn(twins) };
      given(taskDecider, ...twins)
        .when(verdict(vera, { ...of, evidence: [atom('npm test')] }))
        .thenRefused('verdict/evidence-missing');
      given(taskDecider, ...twins)
        .when(verdict(vera, { ...of, evidence: [atom('npm test'), atom('1')] }))
        .thenRefused('verdict/evidence-missing');
      given(taskDecider, ...twins)
        .when(verdict(vera, { ...of, evidence: [atom('0'), atom('1')] }))
        .thenTypes('WorkVerified');
    });
  });
});
