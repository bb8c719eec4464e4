import { type Card, type Me, type Named, type PermissionStatus, type TaskStatus } from './api.js';

/** How long ago, to the unit that matters. */
export const age = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${two(minutes % 60)} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
};

/** Time left as a clock that is read at a glance; below an hour it shows seconds. */
export const left = (ms: number): string => {
  if (ms <= 0) return 'Time is up';
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)}:${two(seconds % 60)} left`;
  return `${age(ms)} left`;
};
const two = (n: number): string => String(n).padStart(2, '0');

/** A moment in the reader's own time zone; the day only where it is not today. */
export const moment = (time: string, today = new Date()): string => {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  const clock = date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
  return date.toDateString() === today.toDateString()
    ? clock
    : `${date.toLocaleDateString(undefined, { day: 'numeric', month: 'short', year: 'numeric' })}, ${clock}`;
};

export const plural = (count: number, one: string, many = `${one}s`): string => `${count.toLocaleString()} ${count === 1 ? one : many}`;

export type Tone = 'ok' | 'warn' | 'danger' | 'quiet';
export type Outcome = { tone: Tone; title: string; detail: string };

/** How a card that is no longer pending ended, in sentences: what happened, and what did or did not change by it. */
export const outcomeOf = (card: Card, me: Me): Outcome => {
  const who = card.decision?.by ? nameOrYou(card.decision.by, me) : 'Someone';
  const nothing = 'Nothing was changed.';
  switch (card.status) {
    case 'approved':
      return { tone: 'ok', title: `${who} approved this`, detail: 'It is being carried out now.' };
    case 'committed':
      return {
        tone: 'ok',
        title: `${who} approved this`,
        detail: card.operation.queuesWork
          ? 'The change is recorded, and its work is queued for an implementer.'
          : 'The change is recorded.',
      };
    case 'declined':
      return { tone: 'quiet', title: `${who} declined this`, detail: `${nothing} ${card.agent.name} was given the reason.` };
    case 'expired':
      return {
        tone: 'warn',
        title: 'Nobody decided in time',
        detail: `${nothing} ${card.agent.name} was told that time ran out, not that anyone said no.`,
      };
    case 'invalidated':
      return {
        tone: 'warn',
        title: 'This is no longer valid',
        detail: `${card.failure?.detail ?? 'What it was based on has changed.'} ${nothing}`,
      };
    case 'withdrawn':
      return { tone: 'quiet', title: 'This was withdrawn', detail: nothing };
    case 'superseded':
      return { tone: 'quiet', title: 'A newer proposal stands in its place', detail: nothing };
    case 'failed': {
      const applied = card.failure?.applied?.length ?? 0;
      const changed = applied === 0 ? nothing : `${plural(applied, 'record')} of ${card.targets.length} had been changed before.`;
      return {
        tone: 'danger',
        title: `${who} approved this, but it could not be carried out`,
        detail: `${card.failure?.detail ?? 'No reason was recorded.'} ${changed}`,
      };
    }
    case 'pending':
      return { tone: 'quiet', title: 'This is pending', detail: '' };
  }
};
export const nameOrYou = (who: Named, me: Me): string => (who.id === me.id ? 'You' : who.name);

export const STATUS: Record<Card['status'] | PermissionStatus, string> = {
  pending: 'Pending',
  approved: 'Approved',
  committed: 'Carried out',
  declined: 'Declined',
  expired: 'Expired',
  invalidated: 'No longer valid',
  withdrawn: 'Withdrawn',
  superseded: 'Replaced',
  failed: 'Failed',
  rejected: 'Rejected',
  cancelled: 'Taken back',
};

export const TASK_STATUS: Record<TaskStatus, string> = {
  queued: 'Queued',
  leased: 'Leased',
  blocked: 'Blocked',
  reported: 'Reported',
  verifying: 'In verification',
  verified: 'Verified',
  unverifiable: 'Unverifiable',
  shipped: 'Shipped',
  exhausted: 'Exhausted',
  cancelled: 'Cancelled',
};

/** A class or kind as words: `work_item` is "work item". */
export const spoken = (name: string): string => name.replaceAll('_', ' ');
export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** Whose word a piece of evidence is. */
export const provenance = (name: string): string =>
  ({
    self_reported: 'by its own word only',
    server_rerun: 'rerun by the server',
    third_party_ci: 'signed by third-party CI',
    human: 'checked by a person',
  })[name] ?? spoken(name);
/** An argv list as one line of shell, quoted where a shell would need it, so that its boundaries show. */
export const commandLine = (command: string | string[]): string => (typeof command === 'string' ? command : command.map(quoted).join(' '));

const quoted = (word: string): string => {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (word.includes("'") && !/["$`\\!]/.test(word)) return `"${word}"`;
  return `'${word.replaceAll("'", `'\\''`)}'`;
};
