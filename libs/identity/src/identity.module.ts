import { randomBytes } from 'node:crypto';
import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { Database, secret } from '#libs/postgres';
import { Authenticator } from './authentication/authenticator.js';
import { CommandMetaFactory } from './authentication/command-meta.js';
import { CredentialWatch } from './authentication/credential-watch.js';
import { Delegations } from './authentication/delegation.js';
import { IdentityGuard } from './authentication/identity.guard.js';
import { TokenKey } from './authentication/token-key.js';
import { IdentityDirectory } from './identity-directory.js';
import { PrincipalsQuery } from './read-models/principals.js';

/** Needs EventStore, Database and Clock from global modules. Its guard stands before every route of the application. */
@Global()
@Module({
  imports: [CqrsModule],
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
    PrincipalsQuery,
  ],
  exports: [Authenticator, CredentialWatch, Delegations, IdentityDirectory, TokenKey],
})
export class IdentityModule {}
