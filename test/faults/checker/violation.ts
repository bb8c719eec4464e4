import type { Recorded } from '#libs/kernel';

export type Rule =
  | 'gapless'
  | 'cause'
  | 'one-holder'
  | 'stale-fence'
  | 'one-decision'
  | 'one-effect'
  | 'receipt'
  | 'acknowledged'
  | 'refused'
  | 'duties'
  | 'answers'
  | 'processes'
  | 'unfinished'
  | 'read-models';

/** Something that must never be: `place` is a position or an id, `detail` says why, for people. */
export type Violation = Readonly<{ rule: Rule; place: string; detail: string }>;

export const broken = (rule: Rule, event: Recorded, detail: string): Violation => ({
  rule,
  place: `${event.position} ${event.type} ${event.stream}@${event.revision}`,
  detail,
});

export const byStream = (events: readonly Recorded[]): ReadonlyMap<string, Recorded[]> => {
  const streams = new Map<string, Recorded[]>();
  for (const event of events) {
    const own = streams.get(event.stream);
    if (own) own.push(event);
    else streams.set(event.stream, [event]);
  }
  return streams;
};
