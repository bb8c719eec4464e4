import crypto, { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { newId } from '#libs/kernel';
import { newSecret, parseBearer, secretDigest, secretMatches, toBearer } from './bearer.js';
import { assertOwnOrigin } from './origin.js';
import { endedCookie, readSession, sessionCookie } from './session-cookie.js';
import { readToken, signToken } from './signed-token.js';
import { TokenKey } from './token-key.js';

describe('A bearer credential', () => {
  it('is read back as it was written', () => {
    const id = newId();
    const secret = newSecret();
    expect(secret).toHaveLength(32);
    expect(toBearer(id, secret)).toMatch(/^wbk_[0-9a-f]{32}_[\w-]{43}$/);
    expect(parseBearer(toBearer(id, secret))).toEqual({ credentialId: id, secret });
  });
  it('is nothing where it has any other form', () => {
    fc.assert(fc.property(fc.string(), (text) => parseBearer(text) === undefined));
    const good = toBearer(newId(), newSecret());
    for (const bad of [` ${good}`, `${good}A`, good.slice(0, -1), good.toUpperCase(), good.replace('wbk', 'wbd')])
      expect(parseBearer(bad)).toBeUndefined();
  });
  it('matches its own digest only', () => {
    const secret = newSecret();
    expect(secretMatches(secret, secretDigest(secret))).toBe(true);
    expect(secretMatches(newSecret(), secretDigest(secret))).toBe(false);
    expect(secretMatches(secret, undefined)).toBe(false);
    expect(secretMatches(new Uint8Array(), undefined)).toBe(false);
  });
  it('is compared in constant time, whether it exists or not', () => {
    const compare = jest.spyOn(crypto, 'timingSafeEqual');
    secretMatches(newSecret(), secretDigest(newSecret()));
    secretMatches(newSecret(), undefined);
    expect(compare.mock.calls.map(([a, b]) => [a.byteLength, b.byteLength])).toEqual([
      [32, 32],
      [32, 32],
    ]);
    compare.mockRestore();
  });
});

describe('A signed token', () => {
  const key = randomBytes(32);
  const token = signToken(key, 'session', { a: 1 });
  it('is read with the same key for the same use', () => expect(readToken(key, 'session', token)).toEqual({ a: 1 }));
  it('is nothing with another key', () => expect(readToken(randomBytes(32), 'session', token)).toBeUndefined());
  it('is nothing for another use', () => expect(readToken(key, 'delegation', token)).toBeUndefined());
  it('is nothing with another payload', () => {
    const forged = Buffer.from('{"a":2}').toString('base64url');
    expect(readToken(key, 'session', `${forged}.${token.split('.')[1]}`)).toBeUndefined();
  });
  it('is nothing in any other form', () =>
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom('', '.', `${token}.`, `${token}.x`)), (text) => !readToken(key, 'session', text)),
    ));
});

describe('A session cookie', () => {
  const key = new TokenKey(randomBytes(32));
  const set = sessionCookie(key, 'credential', '2026-01-05T09:00:00.000Z', true);
  it('lasts twelve hours, for this site alone, out of reach of scripts', () =>
    expect(set.split('; ').slice(1)).toEqual(['Path=/', 'HttpOnly', 'SameSite=Strict', 'Max-Age=43200', 'Secure']));
  it('is not Secure over plain http, where a browser would drop it', () =>
    expect(sessionCookie(key, 'c', '2026-01-05T09:00:00.000Z', false)).not.toContain('Secure'));
  it('is found among others', () =>
    expect(readSession(key, `theme=dark; ${set.split(';')[0]}; x=1`)).toEqual({
      credentialId: 'credential',
      expiresAt: '2026-01-05T21:00:00.000Z',
    }));
  it('ends when it is taken away', () => {
    expect(endedCookie(false)).toContain('Max-Age=0');
    expect(readSession(key, endedCookie(false).split(';')[0])).toBeUndefined();
    expect(readSession(key, undefined)).toBeUndefined();
  });
});

describe('A request with a session cookie', () => {
  const host = 'workbench.example:8443';
  const own = (method: string, headers: Record<string, string>) => () => assertOwnOrigin({ method, host, headers });
  const sse = { accept: 'text/event-stream' };
  it('may read', () => expect(own('GET', { origin: 'https://evil.example' })).not.toThrow());
  it('may change something from its own site', () => expect(own('POST', { origin: `https://${host}` })).not.toThrow());
  it.each(['https://evil.example', 'null', `https://${host}.evil.example`, `https://workbench.example`])(
    'may change nothing from %s',
    (origin) => expect(own('POST', { origin })).toThrow('auth/origin'),
  );
  it('may change nothing from nowhere', () => expect(own('DELETE', {})).toThrow('auth/origin'));
  it('may stream to its own page', () => {
    expect(own('GET', sse)).not.toThrow();
    expect(own('GET', { ...sse, 'sec-fetch-site': 'same-origin' })).not.toThrow();
    expect(own('GET', { ...sse, origin: `https://${host}` })).not.toThrow();
  });
  it('may not stream to another', () => {
    expect(own('GET', { ...sse, origin: 'https://evil.example' })).toThrow('auth/origin');
    expect(own('GET', { ...sse, 'sec-fetch-site': 'cross-site' })).toThrow('auth/origin');
  });
});
