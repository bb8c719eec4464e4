/** Which libraries each may import, beside itself. A new library adds its line; `#libs/x` always means its index.ts. */
const infrastructure = ['kernel', 'postgres', 'projections', 'http'];
export const ALLOWED = {
  kernel: [],
  postgres: ['kernel'],
  'event-store': ['kernel', 'postgres'],
  projections: ['kernel', 'postgres'],
  http: ['kernel'],
  identity: infrastructure,
  permissions: [...infrastructure, 'identity'],
  records: [...infrastructure, 'identity'],
  proposals: [...infrastructure, 'identity', 'records'],
  work: [...infrastructure, 'identity', 'records', 'proposals'],
  sessions: [...infrastructure, 'identity'],
  audit: [...infrastructure, 'identity', 'records', 'proposals', 'work', 'permissions', 'sessions'],
};

const outside = { path: '^(apps|libs)/' };

/** Rules as dependency-cruiser reads them; `kernel-alone` and the rest are the names that the specs ask for. */
export const ruleSet = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: outside, to: { circular: true } },
    {
      name: 'kernel-alone',
      severity: 'error',
      from: { path: '^libs/kernel/' },
      to: { path: '^(apps|libs)/', pathNot: '^libs/kernel/' },
    },
    {
      name: 'kernel-plain',
      severity: 'error',
      from: { path: '^libs/kernel/', pathNot: '\\.spec\\.ts$' },
      to: { pathNot: ['^libs/kernel/', '(^|node_modules/)(canonicalize|uuid)(/|$)'], dependencyTypesNot: ['core'] },
    },
    {
      name: 'meet-at-index',
      severity: 'error',
      // The set-up of the tests runs outside Jest's module map, so it names files. Fixtures are for tests of any context (testing-in-tests).
      from: { path: '^(libs/([^/]+)|apps/[^/]+|test)/', pathNot: '^test/support/' },
      to: { path: '^libs/[^/]+/', pathNot: ['^libs/[^/]+/src/index\\.ts$', '^libs/[^/]+/src/testing/', '^libs/$2/'] },
    },
    { name: 'nothing-imports-apps', severity: 'error', from: { path: '^libs/' }, to: { path: '^apps/' } },
    {
      name: 'testing-in-tests',
      severity: 'error',
      from: { path: '^libs/', pathNot: ['\\.spec\\.ts$', '/testing/'] },
      to: { path: '/testing/' },
    },
    ...Object.entries(ALLOWED).map(([library, allowed]) => ({
      name: 'direction',
      severity: 'error',
      from: { path: `^libs/${library}/`, pathNot: '(\\.spec\\.ts$|/testing/)' },
      to: { path: '^libs/', pathNot: `^libs/(${[library, ...allowed].join('|')})/` },
    })),
  ],
};
