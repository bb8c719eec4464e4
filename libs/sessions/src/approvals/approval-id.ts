import { sha256, type CommandMeta } from '#libs/kernel';

/** `perm_{milliseconds}_{random}`; the random part follows from the command, so that a retry gives the same. */
export const approvalIdOf = ({ commandId, at }: CommandMeta): string =>
  `perm_${Date.parse(at)}_${(BigInt(`0x${sha256(`approval ${commandId}`)}`) % 36n ** 9n).toString(36).padStart(9, '0')}`;
