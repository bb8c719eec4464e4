import { timedId, type CommandMeta } from '#libs/kernel';

/** `perm_{milliseconds}_{random}`, the same for a retry. */
export const approvalIdOf = ({ commandId, at }: CommandMeta): string => timedId('perm', at, `approval ${commandId}`);
