import { readToken, signToken } from './signed-token.js';
import type { TokenKey } from './token-key.js';

const NAME = 'workbench_session';
const SECONDS = 12 * 60 * 60;

/** Stands for a credential, not for its secret; `expiresAt` is RFC 3339 UTC. */
export type Session = Readonly<{ credentialId: string; expiresAt: string }>;

/** The `Set-Cookie` of a session that starts at `now`. HttpOnly and SameSite=Strict; Secure where the request came by https. */
export const sessionCookie = (key: TokenKey, credentialId: string, now: string, secure: boolean): string => {
  const expiresAt = new Date(Date.parse(now) + SECONDS * 1000).toISOString();
  return cookie(signToken(key.bytes, 'session', { credentialId, expiresAt } satisfies Session), SECONDS, secure);
};

export const endedCookie = (secure: boolean): string => cookie('', 0, secure);

/** The session in a `Cookie` header; undefined where there is none that this server signed. Its expiry is the caller's to judge. */
export const readSession = (key: TokenKey, header: string | undefined): Session | undefined => {
  const token = sessionOf(header);
  return token === undefined ? undefined : readToken<Session>(key.bytes, 'session', token);
};

/** The text of the session in a `Cookie` header, whoever signed it. */
export const sessionOf = (header: string | undefined): string | undefined =>
  header
    ?.split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${NAME}=`))
    ?.slice(NAME.length + 1);

const cookie = (value: string, maxAge: number, secure: boolean): string =>
  [`${NAME}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Strict', `Max-Age=${maxAge}`, ...(secure ? ['Secure'] : [])].join('; ');
