import { derivedId, sha256 } from '#libs/kernel';
import type { RequestKind } from './permission.js';

const PREFIX: Readonly<Record<RequestKind, string>> = { hook: 'hook', session: 'perm' };
const DIGITS = 9;
const FORM = new RegExp(`^(hook|perm)_\\d{1,16}_([a-z0-9]{${DIGITS}})$`);

/** `hook_{milliseconds}_{random}`, `perm_…` for those of sessions. The random part follows from the command, so that a retry gives the same. */
export const requestIdOf = (kind: RequestKind, commandId: string, at: string): string =>
  `${PREFIX[kind]}_${Date.parse(at)}_${randomPart(commandId)}`;

/** The stream of a request, by its id or by the command that asks for it, whenever that came; undefined for what is no such id. */
export const permissionIdOf = (tenantId: string, requestId: string): string | undefined => {
  const [, prefix, random] = FORM.exec(requestId) ?? [];
  return random === undefined ? undefined : derivedId('permission', tenantId, prefix!, random);
};

const randomPart = (commandId: string): string =>
  (BigInt(`0x${sha256(`request ${commandId}`)}`) % 36n ** BigInt(DIGITS)).toString(36).padStart(DIGITS, '0');
