import { countTests } from './count-tests.js';

describe('The number of tests', () => {
  it.each([
    ['node:test, TAP', '1..2\n# tests 7\n# pass 7', 7],
    ['node:test, spec', 'ℹ tests 0\nℹ pass 0', 0],
    ['jest', 'Test Suites: 1 passed, 1 total\nTests:       1 failed, 4 passed, 5 total', 5],
    ['vitest', '      Tests  3 passed (3)', 3],
    ['pytest', '===== 12 passed, 1 warning in 0.10s =====', 12],
    ['pytest without tests', '===== no tests ran in 0.01s =====', 0],
    ['mocha', '  9 passing (20ms)', 9],
    ['unittest', 'Ran 1 test in 0.001s', 1],
    ['cargo', 'test result: ok. 4 passed; 0 failed;', 4],
    ['TAP', '1..0', 0],
    ['no test run', 'all good, 5 files linted', undefined],
  ])('is read from %s', (_, output, expected) => expect(countTests(output)).toBe(expected));
});
