import type { Recorded } from '#libs/kernel';
import { violations } from '#libs/audit';
import type { Journal } from './journal.js';
import { causes, gapless, told } from './log-rules.js';
import { proposalRules, unfinished } from './proposal-rules.js';
import { taskRules } from './task-rules.js';
import type { Violation } from './violation.js';

/**
 * Judges a whole log by what must hold whatever happened to the processes that wrote it. Pure, and written from the events' meaning
 * alone: it trusts no decider. `journal`: what clients sent and were told; `atRest`: nothing is on its way any more.
 */
export const checkLog = (
  events: readonly Recorded[],
  { journal, atRest = false }: { journal?: Journal; atRest?: boolean } = {},
): Violation[] => [
  ...gapless(events),
  ...causes(events, journal),
  ...proposalRules(events),
  ...taskRules(events),
  ...violations(events).map(({ rule, type, stream, detail }): Violation => ({
    rule: 'duties',
    place: `${type} ${stream}`,
    detail: `${rule}: ${detail}`,
  })),
  ...(journal ? told(events, journal) : []),
  ...(atRest ? unfinished(events) : []),
];
