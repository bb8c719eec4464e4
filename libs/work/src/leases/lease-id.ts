import type { PipeTransform } from '@nestjs/common';
import { invalid } from '#libs/http';
import { DomainError, isId, refusal } from '#libs/kernel';

/** A lease's id names its task and fence, so that finding one takes no look-up. */
export type LeaseRef = Readonly<{ leaseId: string; taskId: string; fence: string }>;

/** `@Param('id', LeaseIdParam)`: `<task>.<fence>`; anything else is 404 `lease/not-found`. */
export class LeaseIdParam implements PipeTransform {
  transform(value: unknown): LeaseRef {
    const [taskId = '', fence = '', ...more] = String(value).toLowerCase().split('.');
    if (!isId(taskId) || !/^[1-9]\d{0,17}$/.test(fence) || more.length > 0)
      throw new DomainError(refusal('not_found', 'lease/not-found', 'There is no such lease. Its id is <task>.<fence>.'));
    return { leaseId: `${taskId}.${fence}`, taskId, fence };
  }
}

/** The fence in a body is stated on purpose, to show which lease the sender believes to hold; it is that of the lease in the path. */
export const assertSameFence = ({ fence }: LeaseRef, stated: string): void => {
  if (stated !== fence) throw invalid([{ pointer: '/fence', detail: `Must be ${fence}, the fence of the lease in the path.` }]);
};
