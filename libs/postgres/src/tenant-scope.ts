import type { EntityManager } from 'typeorm';
import { isId } from '#libs/kernel';
import type { Database } from './database.js';
import { answerUnavailable, unavailable } from './unavailable.js';

/**
 * Runs reads as the app role in one read-only transaction that sees only this tenant's rows. With `REPEATABLE READ` all reads see
 * one moment. DomainError unavailable `database/unavailable` where no connection is to be had.
 */
export async function tenantScope<T>(
  database: Pick<Database, 'appSource'>,
  tenantId: string,
  work: (manager: EntityManager) => Promise<T>,
  { isolation = 'READ COMMITTED' }: { isolation?: 'READ COMMITTED' | 'REPEATABLE READ' } = {},
): Promise<T> {
  // It goes into the text of the statement, so that opening the scope costs one round trip.
  if (!isId(tenantId)) throw new TypeError('A tenant scope needs the id of a tenant.');
  return answerUnavailable(async () => {
    const runner = database.appSource.createQueryRunner();
    try {
      await runner.query(`begin isolation level ${isolation} read only; set local workbench.tenant_id = '${tenantId}'`);
      const result = await work(runner.manager);
      await runner.query('commit');
      return result;
    } catch (error) {
      // TypeORM lets go of a connection that is lost, and then complains of that instead.
      if (runner.isReleased) throw unavailable(error);
      await runner.query('rollback').catch(() => undefined);
      throw error;
    } finally {
      await runner.release();
    }
  });
}
