import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { completeDocument, undescribedProblems } from '#libs/http';
import { startIdentity, type IdentityServer } from './testing/identity-server.js';

describe('The documentation of identity', () => {
  let server: IdentityServer;
  beforeAll(async () => (server = await startIdentity()));
  afterAll(() => server.close());

  it('describes every route, its answer, and every refusal', () => {
    const document = completeDocument(SwaggerModule.createDocument(server.app, new DocumentBuilder().build()));
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, { summary?: string; responses: Record<string, { content?: object }> }>).map(
        ([method, operation]) => ({ route: `${method.toUpperCase()} ${path}`, ...operation }),
      ),
    );
    expect(operations.map(({ route }) => route).sort()).toEqual([
      'DELETE /api/credentials/{id}',
      'DELETE /api/session',
      'DELETE /api/tenants/{id}',
      'DELETE /api/workspaces/{id}',
      'GET /api/credentials',
      'GET /api/me',
      'GET /api/tenants',
      'GET /api/workspaces',
      'POST /api/credentials',
      'POST /api/delegations',
      'POST /api/session',
      'POST /api/tenants',
      'POST /api/workspaces',
    ]);
    for (const { route, summary, responses } of operations) {
      expect([route, summary]).toEqual([route, expect.any(String)]);
      if (route !== 'DELETE /api/session' && route !== 'DELETE /api/tenants/{id}')
        expect([route, responses['200']?.content ?? responses['201']?.content]).toEqual([
          route,
          { 'application/json': expect.anything() as object },
        ]);
    }
    expect(undescribedProblems(document)).toEqual([]);
  });
});
