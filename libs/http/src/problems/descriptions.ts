import type { RefusalKind } from '#libs/kernel';

/** What is published of a code: the kind of refusal and a sentence that says when it comes. */
export type ProblemDescription = Readonly<{ kind: RefusalKind; when: string }>;

const described = new Map<string, ProblemDescription>();

/**
 * Publishes the codes of a context, once, beside what refuses with them; `@Problems` then names them. Two contexts may
 * describe one code only alike.
 */
export const describeProblems = (kind: RefusalKind, codes: Readonly<Record<string, string>>): void => {
  for (const [code, when] of Object.entries(codes)) {
    const prior = described.get(code);
    if (prior && (prior.kind !== kind || prior.when !== when)) throw new Error(`Problem ${code} is described twice.`);
    described.set(code, { kind, when });
  }
};

export const problemDescription = (code: string): ProblemDescription | undefined => described.get(code);

/** All codes that are published, sorted. */
export const problemCodes = (): readonly string[] => [...described.keys()].sort();

describeProblems('malformed', {
  'json/malformed': 'The body is not JSON, or not UTF-8.',
  'request/malformed': 'The request is not well-formed HTTP.',
  'request/bad-url': 'The path is not percent-encoded UTF-8.',
});
describeProblems('unauthenticated', { 'credential/missing': 'No credential came with the request.' });
describeProblems('forbidden', { 'request/forbidden': 'The credential may not do this.' });
describeProblems('not_found', {
  'id/not-found': 'The id in the path is no id, so there is nothing under it.',
  'route/not-found': 'There is no such route.',
});
describeProblems('conflict', { 'stream/busy': 'Others wrote at the same time, three times over. Retry.' });
describeProblems('precondition', { 'precondition/failed': 'It is no longer at the revision that If-Match names.' });
describeProblems('too_large', { 'request/too-large': 'The body is larger than the route takes.' });
describeProblems('invalid', {
  'request/invalid': 'Fields, parameters or headers are not as the route takes them; every one is named.',
  'json/duplicate-key': 'An object names a key twice.',
  'json/unsafe-number': 'A number loses precision as a 64-bit float. Send it as a string.',
  'json/prototype-key': 'A key would reach into prototypes.',
  'json/nul': 'A text holds the character NUL.',
  'json/lone-surrogate': 'A text holds half of a surrogate pair.',
  'json/too-deep': 'Arrays and objects lie in each other more than 32 deep.',
  'idempotency/other-body': 'The Idempotency-Key was used with another body.',
});
describeProblems('too_many', {
  'request/too-many': 'The credential (or the address) sent too many requests. Wait as long as Retry-After says.',
  'stream/too-many': 'The credential has too many streams open. Close one.',
});
describeProblems('unavailable', {
  'server/unavailable': 'Something we depend on does not answer. Retry.',
  'server/busy': 'The server is at the limit of what it can do at once. Send it again after Retry-After; nothing was done.',
  'server/stopping': 'This server is being stopped. Retry, elsewhere or in a moment.',
  'server/not-ready': 'A part is not ready; `checks` says which.',
  'stream/full': 'This server holds as many streams as it can.',
});
describeProblems('timeout', { 'read-model/behind': 'Reads have not reached that position in time; `lag` says how far.' });
