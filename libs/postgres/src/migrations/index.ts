import type { MigrationInterface } from 'typeorm';
import { Foundation0000000000001 } from './0001-foundation.js';
import { Identity0000000000004 } from './0004-identity.js';

/**
 * In the order in which they run. A class is named by what it brings and its number in 13 digits: TypeORM sorts by those, and the
 * whole name is what a database remembers, so neither ever changes.
 */
export const migrations: (new () => MigrationInterface)[] = [Foundation0000000000001, Identity0000000000004];
