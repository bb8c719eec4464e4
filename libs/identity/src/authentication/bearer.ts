import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits. */
export const newSecret = (): Buffer => randomBytes(32);

export const secretDigest = (secret: Uint8Array): string => createHash('sha256').update(secret).digest('hex');

/** What a client sends: `wbk_<credential id without dashes>_<secret, base64url>`. */
export const toBearer = (credentialId: string, secret: Uint8Array): string =>
  `wbk_${credentialId.replaceAll('-', '')}_${Buffer.from(secret).toString('base64url')}`;

/** Undefined for whatever has not exactly this form. */
export const parseBearer = (text: string): Readonly<{ credentialId: string; secret: Buffer }> | undefined => {
  const match = /^wbk_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_([A-Za-z0-9_-]{43})$/.exec(text);
  return match ? { credentialId: match.slice(1, 6).join('-'), secret: Buffer.from(match[6]!, 'base64url') } : undefined;
};

/** In constant time, also where there is nothing to compare with: the time tells nothing of which ids exist. */
export const secretMatches = (secret: Uint8Array, secretSha256: string | undefined): boolean =>
  timingSafeEqual(Buffer.from(secretDigest(secret), 'hex'), Buffer.from(secretSha256 ?? NONE, 'hex')) && secretSha256 !== undefined;

const NONE = secretDigest(randomBytes(32));
