import { derivedId, timedId } from '#libs/kernel';
import type { RequestKind } from './permission.js';

const PREFIX: Readonly<Record<RequestKind, string>> = { hook: 'hook', session: 'perm' };
const FORM = /^(hook|perm)_\d{1,16}_([a-z0-9]{9})$/;

/** `hook_{milliseconds}_{random}`, `perm_…` for those of sessions; the same for a retry. */
export const requestIdOf = (kind: RequestKind, commandId: string, at: string): string => timedId(PREFIX[kind], at, `request ${commandId}`);

/** The stream of a request, by its id or by the command that asks for it, whenever that came; undefined for what is no such id. */
export const permissionIdOf = (tenantId: string, requestId: string): string | undefined => {
  const [, prefix, random] = FORM.exec(requestId) ?? [];
  return random === undefined ? undefined : derivedId('permission', tenantId, prefix!, random);
};
