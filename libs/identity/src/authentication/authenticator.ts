import { Injectable } from '@nestjs/common';
import { DomainError, refusal, type Principal } from '#libs/kernel';
import { Clock } from '#libs/postgres';
import { IdentityDirectory } from '../identity-directory.js';
import { parseBearer, secretMatches } from './bearer.js';
import { readSession } from './session-cookie.js';
import { TokenKey } from './token-key.js';

/** How the principal proved itself; a cookie is sent by browsers unasked, so that its requests need an Origin check. */
export type Authenticated = Readonly<{ principal: Principal; via: 'bearer' | 'cookie' }>;

/**
 * Turns what a client sends into a principal, from the credential's stream at each use: a revocation acts at once on every
 * server. Refuses 401 `auth/missing`, `auth/invalid`, `auth/expired`, `auth/revoked`, and 403 for a credential at fault.
 */
@Injectable()
export class Authenticator {
  constructor(
    private readonly directory: IdentityDirectory,
    private readonly clock: Clock,
    private readonly key: TokenKey,
  ) {}

  async authenticate(headers: Readonly<{ authorization?: string; cookie?: string }>): Promise<Authenticated> {
    if (headers.authorization !== undefined) {
      const [scheme, token, ...rest] = headers.authorization.split(' ');
      if (scheme?.toLowerCase() !== 'bearer' || !token || rest.length > 0) throw invalid();
      return { principal: await this.bearer(token), via: 'bearer' };
    }
    const session = readSession(this.key, headers.cookie);
    if (session === undefined)
      throw new DomainError(refusal('unauthenticated', 'auth/missing', 'Send a credential: Authorization: Bearer wbk_….'));
    if (session.expiresAt <= this.clock.now())
      throw new DomainError(refusal('unauthenticated', 'auth/expired', `This session ended at ${session.expiresAt}. Sign in again.`));
    return { principal: await this.active(session.credentialId), via: 'cookie' };
  }

  /** The principal of a bearer credential. Only who knows its secret learns that it is revoked or expired. */
  async bearer(token: string): Promise<Principal> {
    const bearer = parseBearer(token);
    const credential = bearer && (await this.directory.credential(bearer.credentialId));
    if (!secretMatches(bearer?.secret ?? new Uint8Array(), credential?.secretSha256) || !credential) throw invalid();
    const { principal, active, why } = await this.directory.standingOf(credential);
    if (!active) throw new DomainError(why!);
    return principal;
  }

  private async active(credentialId: string): Promise<Principal> {
    const { principal, active, why } = await this.directory.principalOf(credentialId);
    if (!active) throw new DomainError(why!);
    return principal;
  }
}

const invalid = (): DomainError => new DomainError(refusal('unauthenticated', 'auth/invalid', 'This credential is not valid. Check it.'));
