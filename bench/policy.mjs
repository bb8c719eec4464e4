import { below, compete, figureRow } from './harness.mjs';

const { judge } = await import('../dist/libs/identity/src/index.js');
const { ToolPolicy } = await import('../dist/libs/permissions/src/index.js');

const BOUND_MS = 0.3;
const CALLS = 200;
/** What else the machine does can only add to the time, so a round's figure is that of the least disturbed of so many passes. */
const PASSES = 40;

const agent = {
  id: '0192f0c1-0000-7000-8000-000000000001',
  kind: 'agent',
  name: 'Ida',
  tenantId: '0192f0c1-0000-7000-8000-00000000000a',
  workspaceIds: ['0192f0c1-0000-7000-8000-00000000000b'],
  roles: ['implementer'],
  credentialId: '0192f0c1-0000-7000-8000-000000000002',
  accountableHuman: '0192f0c1-0000-7000-8000-000000000003',
  capabilities: ['code'],
  lineage: { accountableHuman: '0192f0c1-0000-7000-8000-000000000003', sessions: [] },
};
const policy = new ToolPolicy();
const call = (over) => ({ toolName: 'bash', tier: 'dangerous', ladder: 2, effects: ['exec.script', 'vcs.remote'], enabled: [], ...over });

const questions = {
  'a command that is allowed': () => judge(agent, 'lease.claim'),
  'a command that is not': () => judge(agent, 'confirmation.approve'),
  'a call that runs': () => policy.dispose(agent, call({ tier: 'safe', ladder: 0, effects: ['read'] })),
  'a call that asks': () => policy.dispose(agent, call()),
  'a call that is blocked': () => policy.dispose(agent, call({ tier: 'destructive', ladder: 5, effects: ['destroy.fs'] })),
};

/** `policy`: how long the policies take to answer, with their proof, each question as the server asks it. */
export const run = async ({ rounds, say }) => {
  for (const ask of Object.values(questions)) for (let times = 0; times < 2_000; times++) ask();
  const contestants = Object.fromEntries(Object.entries(questions).map(([name, ask]) => [name, () => p99(ask)]));
  const values = await compete(contestants, rounds, say);
  return Object.keys(questions).map((name) =>
    figureRow({ what: `policy decision, p99: ${name}`, unit: 'ms', values: { p99: values[name] }, of: 'p99', bar: below(BOUND_MS, ' ms') }),
  );
};

const p99 = (ask) => Math.min(...Array.from({ length: PASSES }, () => pass(ask)));
const pass = (ask) => {
  const took = Float64Array.from({ length: CALLS }, () => {
    const began = process.hrtime.bigint();
    ask();
    return Number(process.hrtime.bigint() - began) / 1e6;
  }).sort();
  return took[Math.floor(0.99 * (CALLS - 1))];
};
