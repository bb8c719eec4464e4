import { randomBytes } from 'node:crypto';
import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { Database, secret } from '#libs/postgres';
import { Authenticator } from './authentication/authenticator.js';
import { CommandMetaFactory } from './authentication/command-meta.js';
import { DelegationsController } from './authentication/delegations.controller.js';
import { CredentialWatch } from './authentication/credential-watch.js';
import { Delegations } from './authentication/delegation.js';
import { SessionController } from './authentication/session.controller.js';
import { IdentityGuard } from './authentication/identity.guard.js';
import { TokenKey } from './authentication/token-key.js';
import { CredentialHandler } from './credentials/credential.handler.js';
import { CredentialsController } from './credentials/credentials.controller.js';
import { IdentityDirectory } from './identity-directory.js';
import './problems.js';
import { CredentialsQuery } from './read-models/credentials.js';
import { PrincipalsQuery } from './read-models/principals.js';
import { TenantsQuery } from './read-models/tenants.js';
import { WorkspacesQuery } from './read-models/workspaces.js';
import { TenantHandler } from './tenants/tenant.handler.js';
import { TenantsController } from './tenants/tenants.controller.js';
import { WorkspaceHandler } from './tenants/workspace.handler.js';
import { WorkspacesController } from './tenants/workspaces.controller.js';

/** Needs EventStore, Database and Clock from global modules. Its guard stands before every route of the application. */
@Global()
@Module({
  imports: [CqrsModule],
  controllers: [SessionController, DelegationsController, CredentialsController, TenantsController, WorkspacesController],
  providers: [
    {
      provide: TokenKey,
      inject: [Database],
      useFactory: async (database: Database) => new TokenKey(await secret(database, 'identity-tokens', () => randomBytes(32))),
    },
    { provide: APP_GUARD, useClass: IdentityGuard },
    Authenticator,
    CommandMetaFactory,
    CredentialWatch,
    Delegations,
    IdentityDirectory,
    CredentialHandler,
    TenantHandler,
    WorkspaceHandler,
    CredentialsQuery,
    PrincipalsQuery,
    TenantsQuery,
    WorkspacesQuery,
  ],
  exports: [Authenticator, CredentialWatch, Delegations, IdentityDirectory, TokenKey],
})
export class IdentityModule {}
