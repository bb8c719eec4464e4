import { dirname } from 'node:path';
import { createRequire } from 'node:module';
import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { documentOf } from './openapi.js';

/** The whole of Swagger UI that a page needs; all of it is ours to serve. */
const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Workbench API</title>
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png" />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
  </head>
  <body>
    <div id="api"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;
// Nothing inline, nothing from elsewhere: no validator's badge, no credential kept in the browser.
const START = `SwaggerUIBundle({ url: '/docs/openapi.json', dom_id: '#api', deepLinking: true, validatorUrl: null, persistAuthorization: false });\n`;

/** `/docs`: the API to read and try, under the same strict content policy as everything else; `/docs/openapi.json`: the document. */
export const serveApiDocs = async (app: NestFastifyApplication): Promise<void> => {
  const instance = app.getHttpAdapter().getInstance();
  const root = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  await instance.register(fastifyStatic, { root, serve: false });
  let document: string | undefined;
  instance.get('/docs', (_, reply) => reply.type('text/html; charset=utf-8').send(PAGE));
  instance.get('/docs/', (_, reply) => reply.redirect('/docs'));
  instance.get('/docs/start.js', (_, reply) => reply.type('text/javascript; charset=utf-8').send(START));
  instance.get('/docs/openapi.json', (_, reply) =>
    reply.type('application/json; charset=utf-8').send((document ??= JSON.stringify(documentOf(app)))),
  );
  for (const name of ASSETS) instance.get(`/docs/${name}`, (_, reply) => reply.sendFile(name, { maxAge: '1d' }));
};
