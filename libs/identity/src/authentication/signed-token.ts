import { createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '#libs/kernel';

/** `<payload, base64url JSON>.<HMAC-SHA256 over use and payload>`: what the server says to itself through a client. */
export const signToken = (key: Uint8Array, use: string, payload: object): string => {
  const body = Buffer.from(canonicalJson(payload)).toString('base64url');
  return `${body}.${mac(key, use, body).toString('base64url')}`;
};

/** The payload, or undefined where this server's key did not sign it for this use. Its expiry is the caller's to judge. */
export const readToken = <T extends object>(key: Uint8Array, use: string, token: string): T | undefined => {
  const [body, signature, ...rest] = token.split('.');
  if (!body || !signature || rest.length > 0) return undefined;
  const expected = mac(key, use, body);
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as T;
};

const mac = (key: Uint8Array, use: string, body: string): Buffer => createHmac('sha256', key).update(`${use}\n${body}`).digest();
