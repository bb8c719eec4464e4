import type { Handled } from '#libs/kernel';
import type { LeaseKind, TaskEvent } from '../task-events.js';

/** A lease as its holder is told of it. */
export type LeaseAnswer = Readonly<{ leaseId: string; taskId: string; fence: string; expiresAt: string; kind: LeaseKind }>;

/** The lease that this command granted or renewed: as it was then, so that a retry is answered alike. */
export const leaseIn = ({ id, events }: Pick<Handled<unknown, TaskEvent>, 'id' | 'events'>): LeaseAnswer => {
  for (const { type, data } of events) {
    if (type === 'LeaseGranted' || type === 'VerificationGranted' || type === 'LeaseRenewed') {
      const kind = type === 'LeaseRenewed' ? data.kind : type === 'LeaseGranted' ? 'implementation' : 'verification';
      return { leaseId: data.leaseId, taskId: id, fence: data.fence, expiresAt: data.expiresAt, kind };
    }
  }
  throw new Error('This command neither granted nor renewed a lease.');
};
