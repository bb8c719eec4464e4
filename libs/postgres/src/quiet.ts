import type { Logger } from 'typeorm';

const nothing = (): void => undefined;

/** TypeORM prints to the console; what fails here is thrown, and whoever catches it logs it once. */
export const quiet: Logger = {
  logQuery: nothing,
  logQueryError: nothing,
  logQuerySlow: nothing,
  logSchemaBuild: nothing,
  logMigration: nothing,
  log: nothing,
};
