import { digestOf } from '#libs/kernel';
import type { PendingApproval } from '../session.js';

/** SHA-256 of all that an owner is shown of a call and decides on. A decision that names it is about that, and nothing that came later. */
export const presentedDigest = ({ approvalId, tool, reason, toolInput, judged, timeoutAt }: PendingApproval): string =>
  digestOf({ schema: 1, approvalId, tool, reason, toolInput, judged, timeoutAt });
