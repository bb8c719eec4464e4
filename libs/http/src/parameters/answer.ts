import type { Handled } from '#libs/kernel';
import { noteOnRequest } from '../edge/request-context.js';

/** The answer to a command: where it was written, and the body of what changed. */
export const answer = <B extends object>(
  { id, revision, position, auditId }: Pick<Handled, 'id' | 'revision' | 'position' | 'auditId'>,
  body?: B,
): B & Readonly<{ id: string; revision: string; position: string; auditId: string }> => {
  noteOnRequest({ auditId });
  return { ...(body as B), id, revision: revision.toString(), position, auditId };
};
