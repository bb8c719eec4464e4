import { ApiExtension } from '@nestjs/swagger';

export const PROBLEMS = 'x-problems';
export const WITHOUT_CREDENTIAL = 'x-without-credential';

/**
 * The refusals that this route can answer, by code. Their status and sentence come from `describeProblems`. What every
 * route can answer (bad requests, 401, 403, 429, 500, 503) is added to the document by itself.
 */
export const Problems = (...codes: string[]) => ApiExtension(PROBLEMS, codes);

/** Documents that this route needs no credential. */
export const WithoutCredential = () => ApiExtension(WITHOUT_CREDENTIAL, true);
