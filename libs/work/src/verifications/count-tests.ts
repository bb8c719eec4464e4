/** How test runners say at the end how many tests ran; the last match of the first pattern that matches counts. */
const SUMMARIES: readonly RegExp[] = [
  /^(?:#|ℹ) tests (\d+)\s*$/gm, // node:test
  /^\s*Tests:?\s.*?(\d+) total\s*$/gm, // jest
  /^\s*Tests\s+.*?\((\d+)\)\s*$/gm, // vitest
  /^=+ .*?(\d+) passed.* =+\s*$/gm, // pytest
  /^=+ (no tests) ran.* =+\s*$/gm, // pytest
  /^\s*(\d+) passing\b.*$/gm, // mocha
  /^Ran (\d+) tests? in .*$/gm, // unittest
  /^test result: \w+\. (\d+) passed;.*$/gm, // cargo
  /^1\.\.(\d+)\s*$/gm, // TAP
];

/** The number of tests that ran, where the output states it; undefined where it doesn't look like a test run. */
export const countTests = (output: string): number | undefined => {
  for (const summary of SUMMARIES) {
    const last = [...output.matchAll(summary)].at(-1);
    if (last) return Number(last[1]) || 0;
  }
  return undefined;
};
