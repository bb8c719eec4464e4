import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A certificate that signs itself, for `localhost` and 127.0.0.1, valid for an hour; `file` holds it for `tlsCAFile`. */
export type Certificate = Readonly<{ certificate: string; key: string; file: string; remove(): void }>;

/** X.509 v3 by hand (RFC 5280, in DER): Node makes keys and signatures, but no certificates. */
export const createCertificate = (names: readonly string[] = ['localhost'], addresses: readonly string[] = ['127.0.0.1']): Certificate => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(set(sequence(oid('2.5.4.3'), utf8('workbench test'))));
  const algorithm = sequence(oid('1.2.840.10045.4.3.2')); // ecdsa-with-SHA256
  const now = Date.now();
  const alternatives = sequence(
    ...names.map((each) => tagged(0x82, Buffer.from(each))),
    ...addresses.map((each) => tagged(0x87, Buffer.from(each.split('.').map(Number)))),
  );
  const extensions = sequence(
    sequence(oid('2.5.29.19'), boolean(true), octets(sequence(boolean(true)))), // basicConstraints: an authority, its own
    sequence(oid('2.5.29.17'), octets(alternatives)), // subjectAltName
  );
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    sequence(time(now - 60_000), time(now + 3_600_000)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, extensions),
  );
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const signed = sequence(body, algorithm, bits(sign('sha256', body, createPrivateKey(pem))));
  const certificate = `-----BEGIN CERTIFICATE-----\n${signed.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
  const directory = mkdtempSync(path.join(os.tmpdir(), 'workbench-certificate-'));
  const file = path.join(directory, 'ca.crt');
  writeFileSync(file, certificate);
  return { certificate, key: pem, file, remove: () => rmSync(directory, { recursive: true, force: true }) };
};

const tagged = (tag: number, ...content: readonly Uint8Array[]): Buffer => {
  const bytes = Buffer.concat(content);
  const length =
    bytes.length < 0x80
      ? Buffer.from([bytes.length])
      : bytes.length < 0x100
        ? Buffer.from([0x81, bytes.length])
        : Buffer.from([0x82, bytes.length >> 8, bytes.length & 0xff]);
  return Buffer.concat([Buffer.from([tag]), length, bytes]);
};
const sequence = (...content: readonly Uint8Array[]): Buffer => tagged(0x30, ...content);
const set = (...content: readonly Uint8Array[]): Buffer => tagged(0x31, ...content);
const integer = (bytes: Uint8Array): Buffer => tagged(0x02, bytes);
const boolean = (value: boolean): Buffer => tagged(0x01, Buffer.from([value ? 0xff : 0]));
const octets = (content: Uint8Array): Buffer => tagged(0x04, content);
const bits = (content: Uint8Array): Buffer => tagged(0x03, Buffer.from([0]), content);
const utf8 = (text: string): Buffer => tagged(0x0c, Buffer.from(text));
const time = (at: number): Buffer => tagged(0x17, Buffer.from(`${new Date(at).toISOString().replace(/^..|[-:T]|\.\d+/g, '')}`));
const oid = (dotted: string): Buffer => {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const base128 = (value: number): number[] => {
    const digits = [value & 0x7f];
    for (let left = value >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
    return digits;
  };
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
};
