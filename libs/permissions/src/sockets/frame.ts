import { bind, parseJson } from '#libs/http';
import { DomainError } from '#libs/kernel';
import { DecisionDto } from '../requests/fields.js';

/** What a client may send: `{type, data}` as text. */
export type ClientFrame = Readonly<{ type: 'ping' }> | Readonly<{ type: 'decision'; data: DecisionDto }>;
/** Why a frame is none: a sentence for whoever wrote the client. */
export type BadFrame = Readonly<{ fault: string }>;

export const readFrame = async (bytes: Uint8Array, isBinary: boolean): Promise<ClientFrame | BadFrame> => {
  if (isBinary) return { fault: 'Send text: a JSON object {type, data}.' };
  let frame: unknown;
  try {
    frame = parseJson(bytes);
  } catch (error) {
    return { fault: error instanceof DomainError ? error.refusal.detail : 'This is not JSON.' };
  }
  if (typeof frame !== 'object' || frame === null || Array.isArray(frame)) return { fault: 'A message is a JSON object {type, data}.' };
  const { type, data } = frame as Record<string, unknown>;
  if (type === 'ping') return { type };
  if (type !== 'decision') return { fault: 'A message is of type decision or ping.' };
  const { instance, faults } = await bind(DecisionDto, data ?? {}, { at: '/data' });
  if (faults.length > 0) return { fault: faults.map(({ pointer, detail }) => `${pointer}: ${detail}`).join(' ') };
  return { type, data: instance };
};

/** A message to a client. */
export const frameOf = (type: string, data: object): string => JSON.stringify({ type, data });
