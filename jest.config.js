// Nest 12 is ESM only and Jest's own ESM needs Node 24.9; so inside Jest both our code and those packages become CommonJS.
const swc = [
  '@swc/jest',
  {
    swcrc: false,
    sourceMaps: 'inline',
    module: { type: 'commonjs' },
    jsc: {
      target: 'es2023',
      keepClassNames: true,
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    },
  },
];
const esmOnly = [
  '@nestjs/',
  '@fastify/cookie', // imports one of them
  'file-type',
  'token-types',
  'strtok3',
  'uint8array-extras',
  '@tokenizer/',
  'content-disposition',
  'cookie',
  'uid',
  'uuid',
  'canonicalize',
  'eventsource',
  'preact',
  'unbash',
];
const shared = {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json'],
  transform: { '^.+\\.(ts|m?js)$': swc },
  transformIgnorePatterns: [`/node_modules/(?!(?:.*/node_modules/)?(${esmOnly.join('|')}))`],
  moduleNameMapper: {
    '^#libs/kernel/testing$': '<rootDir>/libs/kernel/src/testing/index.ts',
    '^#libs/(.*)$': '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // Its exports name no file for require.
    '^canonicalize$': '<rootDir>/node_modules/canonicalize/lib/canonicalize.js',
  },
};
/** Three projects: rules without I/O, the architecture rules, and all that needs the real database or a running server. */
/** @type {import('jest').Config} */
export default {
  rootDir: import.meta.dirname,
  testTimeout: 180_000,
  maxWorkers: 2, // servers and their PostgreSQL need the rest
  projects: [
    { ...shared, displayName: 'unit', roots: ['<rootDir>/apps', '<rootDir>/libs'], testRegex: '(?<!\\.(?:db|arch))\\.spec\\.ts$' },
    { ...shared, displayName: 'arch', roots: ['<rootDir>/test/architecture'], testRegex: '\\.spec\\.ts$' },
    {
      ...shared,
      displayName: 'db',
      roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test'],
      testRegex: ['\\.db\\.spec\\.ts$', 'test/(?:stories|faults|eventstoredb|model)/.*\\.spec\\.ts$'],
      globalSetup: '<rootDir>/test/support/global-setup.ts',
      globalTeardown: '<rootDir>/test/support/global-teardown.ts',
    },
  ],
};
