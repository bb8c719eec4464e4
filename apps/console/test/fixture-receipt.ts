import { type Receipt } from '../src/api.js';
import { ago, ANN, BOB, digest, EVE, PLATFORM, TENANT } from './fixture-data.js';

export const RECEIPT_ID = '0192f5c3-0000-7000-8000-000000000001';

const held = (name: string, model?: string) => ({ principalId: name, name, kind: 'agent', ...(model && { model }) });
const COMMIT = '9d1c2ab4e5f60718293a4b5c6d7e8f9001122334';
export const receipt = (): Receipt => ({
  receiptId: RECEIPT_ID,
  statement: {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      { name: 'git@git.northwind.example:web/site.git', digest: { gitCommit: COMMIT } },
      { name: 'apps/site/src/sitemap.ts', digest: { sha256: digest('92a3') } },
    ],
    predicateType: 'https://workbench.dev/receipt/v1',
    predicate: {
      auditId: '0192f5c2-0000-7000-8000-000000000108',
      tenant: TENANT,
      workspace: PLATFORM,
      taskId: 't8',
      scopeDigest: digest('5e6f'),
      chain: {
        proposal: {
          proposalId: 'p8',
          operation: 'brief.dispatch',
          actionDigest: digest('1a2b'),
          presentedDigest: digest('3c4d'),
          submittedAt: ago(300),
          agent: EVE,
          requester: BOB,
        },
        decision: { by: ANN, at: ago(280), presentedDigest: digest('3c4d') },
        mutation: { at: ago(279), actionDigest: digest('1a2b') },
        work: { at: ago(279), queue: 'web', title: 'Escape ampersands in the sitemap' },
        lease: { at: ago(260), fence: '1', holder: held('codex@ci-2', 'gpt-5-codex'), scopeDigest: digest('5e6f') },
        report: {
          at: ago(200),
          by: held('codex@ci-2'),
          reportDigest: digest('7081'),
          content: {
            revision: COMMIT,
            summary: 'Ampersands are escaped.',
            artifacts: [
              { path: 'apps/site/src/sitemap.ts', sha256: digest('92a3'), size: 2210 },
              { path: 'apps/site/test/sitemap.spec.ts', sha256: digest('b4c5'), size: 911 },
            ],
          },
        },
        verdict: {
          at: ago(120),
          verdict: 'verified',
          fence: '2',
          by: held('Vera'),
          reportDigest: digest('7081'),
          evidence: [
            { check: 'npm test -w apps/site', status: 'passed', testsRun: 42, provenance: 'server_rerun' },
            { check: 'npm run lint', status: 'passed', provenance: 'third_party_ci' },
          ],
        },
        shipped: { at: ago(100), by: ANN.id, revision: COMMIT, tree: '77aa12ab4e5f60718293a4b5c6d7e8f900112255' },
      },
      doesNotProve: [
        'That the change is right, complete or safe: it shows which checks passed in which runs, not that the checks are enough.',
        'What self-reported evidence says: only evidence of another provenance counted for the verdict.',
        'That the shipped revision is deployed, or still on its branch.',
      ],
    },
  },
  envelope: { payloadType: 'application/vnd.in-toto+json', payload: 'e30=', signatures: [{ keyid: 'sha256:5f2c', sig: 'c2ln' }] },
});
