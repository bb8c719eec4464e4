import { DomainError, refusal } from '#libs/kernel';

/** What the check looks at; `host` as the client addressed us. */
export type Addressed = Readonly<{ method: string; host: string; headers: Readonly<Record<string, string | string[] | undefined>> }>;

/**
 * Refuses 403 `auth/origin` a request that another site's page makes a browser send with our cookie. A browser names its
 * Origin on whatever changes something, so there it must; on an EventSource of our own page it names none.
 */
export const assertOwnOrigin = ({ method, host, headers }: Addressed): void => {
  const safe = ['GET', 'HEAD', 'OPTIONS'].includes(method);
  const stream = String(headers['accept'] ?? '').includes('text/event-stream');
  if (safe && !stream) return;
  const origin = headers['origin'];
  const site = headers['sec-fetch-site'];
  const own = origin === undefined ? stream && safe && (site === undefined || site === 'same-origin') : hostOf(origin) === host;
  if (!own) throw foreign();
};

/** For what starts or ends a session: nobody else's page may, but a client that is no browser names no Origin. */
export const assertNotForeign = ({ host, headers }: Addressed): void => {
  if (headers['origin'] !== undefined && hostOf(headers['origin']) !== host) throw foreign();
};

const foreign = (): DomainError =>
  new DomainError(
    refusal('forbidden', 'auth/origin', 'A session works from its own site only. Send the credential as Authorization: Bearer.'),
  );

const hostOf = (origin: string | string[]): string | undefined => {
  const text = String(origin);
  return URL.canParse(text) ? new URL(text).host : undefined;
};
