import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { describeApi } from '#libs/http';

/** What `/docs` shows and `docs/openapi.json` keeps. */
export const documentOf = (app: INestApplication): OpenAPIObject =>
  describeApi(app, {
    title: 'Workbench',
    description:
      'An assistant proposes, a person decides on a card, agents work under a lease, an independent verifier judges, and a signed receipt proves it. Positions, revisions and fences are decimal strings; times are RFC 3339 UTC; errors are application/problem+json with a stable code.',
    version: '1',
    sessionCookie: 'workbench_session',
    credentialProblems: ['auth/missing', 'auth/invalid', 'auth/expired', 'auth/revoked', 'auth/role', 'auth/origin'],
  });
