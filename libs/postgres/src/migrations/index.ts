import type { MigrationInterface } from 'typeorm';
import { Foundation0000000000001 } from './0001-foundation.js';
import { EventStore0000000000002 } from './0002-event-store.js';
import { Projections0000000000003 } from './0003-projections.js';
import { Identity0000000000004 } from './0004-identity.js';
import { Records0000000000005 } from './0005-records.js';
import { Proposals0000000000006 } from './0006-proposals.js';
import { Work0000000000007 } from './0007-work.js';
import { Audit0000000000008 } from './0008-audit.js';
import { Permissions0000000000009 } from './0009-permissions.js';
import { Sessions0000000000010 } from './0010-sessions.js';
import { PendingCalls0000000000011 } from './0011-pending-calls.js';
import { Append0000000000012 } from './0012-append.js';
import { FeedPlaces0000000000013 } from './0013-feed-places.js';
import { Batches0000000000014 } from './0014-batches.js';
import { TasksInOrder0000000000015 } from './0015-tasks-in-order.js';

/**
 * In the order in which they run. A class is named by what it brings and its number in 13 digits: TypeORM sorts by those, and the
 * whole name is what a database remembers, so neither ever changes.
 */
export const migrations: (new () => MigrationInterface)[] = [
  Foundation0000000000001,
  EventStore0000000000002,
  Projections0000000000003,
  Identity0000000000004,
  Records0000000000005,
  Proposals0000000000006,
  Work0000000000007,
  Audit0000000000008,
  Permissions0000000000009,
  Sessions0000000000010,
  PendingCalls0000000000011,
  Append0000000000012,
  FeedPlaces0000000000013,
  Batches0000000000014,
  TasksInOrder0000000000015,
];
