import { DomainError, refusal } from '#libs/kernel';
import { JsonFault, scanJson } from './scan-json.js';

/**
 * The one way in for JSON: what comes out is exactly what was sent, or it is refused. 400 `json/malformed` (with `offset`)
 * for what is no JSON or no UTF-8; 422 for duplicate keys, numbers that lose precision, prototype keys, NUL, lone
 * surrogates and more than 32 levels, each with a pointer to the place.
 */
export const parseJson = (source: string | Uint8Array): unknown => {
  const text = typeof source === 'string' ? source : decode(source);
  try {
    scanJson(text);
  } catch (error) {
    if (error instanceof JsonFault) throw new DomainError(refusalOf(error));
    throw error;
  }
  return JSON.parse(text);
};

const decode = (bytes: Uint8Array): string => {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new DomainError(refusal('malformed', 'json/malformed', 'The body is not UTF-8. Send JSON as UTF-8.'));
  }
};

// A byte order mark stays in the text, where it is no JSON: RFC 8259 forbids senders to add one.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const refusalOf = ({ code, detail, pointer, offset }: JsonFault) =>
  code === 'json/malformed'
    ? refusal('malformed', code, `The body is not JSON: ${detail} See offset ${offset}.`, { offset }, [{ pointer, detail }])
    : refusal('invalid', code, detail, { offset }, [{ pointer, detail }]);
