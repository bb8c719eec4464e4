import { DomainError, refusal } from '#libs/kernel';
import { answerUnavailable } from './unavailable.js';

const failing = (error: Error) => answerUnavailable(() => Promise.reject(error));

describe('A database that cannot be reached', () => {
  it.each([
    Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' }),
    Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
    new Error('timeout exceeded when trying to connect'),
    new Error('Connection terminated unexpectedly'),
    new Error('Client has encountered a connection error and is not queryable'),
  ])('is answered as unavailable, with its cause: %s', async (cause) => {
    const error = await failing(cause).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DomainError);
    expect(error).toMatchObject({ refusal: { kind: 'unavailable', code: 'database/unavailable' }, cause });
  });

  it('is told apart from what the statement did wrong, and from refusals', async () => {
    const duplicate = Object.assign(new Error('duplicate key'), { code: '23505' });
    await expect(failing(duplicate)).rejects.toBe(duplicate);
    const refused = new DomainError(refusal('not_found', 'record/not-found', 'There is none.'));
    await expect(failing(refused)).rejects.toBe(refused);
  });
});
