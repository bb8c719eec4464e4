import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { completeDocument } from './complete-document.js';

export type ApiDescription = Readonly<{
  title: string;
  description: string;
  version: string;
  sessionCookie: string;
  /** What every route that needs a credential can answer for want of a good one. */
  credentialProblems: readonly string[];
}>;

/** The OpenAPI 3.1 document of an application, complete and always in one order. */
export const describeApi = (
  app: INestApplication,
  { title, description, version, sessionCookie, credentialProblems }: ApiDescription,
): OpenAPIObject => {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(title)
    .setDescription(description)
    .setVersion(version)
    .addBearerAuth({ type: 'http', scheme: 'bearer' }, 'bearer')
    .addCookieAuth(sessionCookie, { type: 'apiKey', in: 'cookie' }, 'session')
    .addSecurityRequirements('bearer')
    .addSecurityRequirements('session');
  return completeDocument(SwaggerModule.createDocument(app, builder.build()), credentialProblems);
};
