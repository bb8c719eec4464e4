import { eventTypes } from '#libs/kernel';
import type { RecordEvent } from './record.js';

export const recordEvents = eventTypes<RecordEvent>({ RecordCreated: 1, RecordChanged: 1, RecordArchived: 1 });
