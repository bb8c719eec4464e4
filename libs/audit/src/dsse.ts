import { canonicalJson, sha256 } from '#libs/kernel';
import { createPublicKey, sign as signBytes, verify as verifyBytes, type KeyObject } from 'node:crypto';
import { ReceiptRefused, isPlainObject, parseCanonical } from './canonical-reader.js';

/** A DSSE envelope with exactly one signature; `payload` and `sig` are padded base64. */
export type Envelope = Readonly<{
  payload: string;
  payloadType: typeof PAYLOAD_TYPE;
  signatures: readonly [Readonly<{ keyid: string; sig: string }>];
}>;

export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** SHA-256 (hex) of the key's SubjectPublicKeyInfo: names the key, proves nothing. */
export const keyIdOf = (publicKey: KeyObject): string => sha256(publicKey.export({ type: 'spki', format: 'der' }));

/** Signs the canonical JSON of `statement`. Ed25519 has no randomness: the same statement and key give the same envelope. */
export const seal = (statement: unknown, privateKey: KeyObject): Envelope => {
  const body = Buffer.from(canonicalJson(statement));
  return {
    payload: body.toString('base64'),
    payloadType: PAYLOAD_TYPE,
    signatures: [
      {
        keyid: keyIdOf(createPublicKey(privateKey)),
        sig: signBytes(null, preAuthEncoding(PAYLOAD_TYPE, body), privateKey).toString('base64'),
      },
    ],
  };
};

/** The bytes of the file that `open` accepts: canonical JSON, no line end. */
export const envelopeText = (envelope: Envelope): string => canonicalJson(envelope);

/**
 * The signed value, if `file` is byte for byte what `seal` and `envelopeText` write under this key. There is one valid text
 * of a receipt: other spacing, other base64, a second signature or an unknown field is refused, so that two files that
 * verify are the same file. A key inside the envelope is never used.
 */
export const open = (file: Uint8Array, publicKey: KeyObject): unknown => {
  const envelope = readEnvelope(file);
  if (publicKey.type !== 'public' || publicKey.asymmetricKeyType !== 'ed25519')
    throw new ReceiptRefused('key/unusable', 'The key given is not an Ed25519 public key.');
  const keyId = keyIdOf(publicKey);
  const { keyid, sig } = envelope.signatures[0];
  if (keyid !== keyId) throw new ReceiptRefused('key/other', `It is signed with key ${keyid}, the key given is ${keyId}.`);
  const body = fromBase64(envelope.payload, 'payload');
  if (!verifyBytes(null, preAuthEncoding(envelope.payloadType, body), publicKey, fromBase64(sig, 'signature')))
    throw new ReceiptRefused('signature/invalid', 'The signature does not fit the payload.');
  return parseCanonical(body, 'payload');
};

/** DSSE v1: lengths stand before the parts, so that no other pair of type and body gives the same bytes. */
const preAuthEncoding = (type: string, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${body.length} `), body]);

const readEnvelope = (file: Uint8Array): Envelope => {
  const value = parseCanonical(file, 'envelope');
  const malformed = (what: string) => new ReceiptRefused('envelope/malformed', `The envelope ${what}.`);
  if (!isPlainObject(value, ['payload', 'payloadType', 'signatures']))
    throw malformed('has other fields than payload, payloadType, signatures');
  if (value.payloadType !== PAYLOAD_TYPE) throw malformed(`has another payload type than ${PAYLOAD_TYPE}`);
  if (typeof value.payload !== 'string') throw malformed('has no payload');
  const signatures = value.signatures;
  if (!Array.isArray(signatures) || signatures.length !== 1) throw malformed('has not exactly one signature');
  const signature: unknown = signatures[0];
  if (!isPlainObject(signature, ['keyid', 'sig'])) throw malformed('has a signature with other fields than keyid, sig');
  if (typeof signature.keyid !== 'string' || typeof signature.sig !== 'string') throw malformed('has an unreadable signature');
  return { payload: value.payload, payloadType: PAYLOAD_TYPE, signatures: [{ keyid: signature.keyid, sig: signature.sig }] };
};

const fromBase64 = (text: string, what: string): Buffer => {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw new ReceiptRefused('envelope/malformed', `The ${what} is not canonical base64.`);
  return bytes;
};

/** What an envelope of our own log says; judges nothing. */
export const statementIn = ({ payload }: Pick<Envelope, 'payload'>): unknown => JSON.parse(Buffer.from(payload, 'base64').toString('utf8'));
