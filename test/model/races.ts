/** What one racing client was told: 'ok' with the revision that it wrote at, or the code of its refusal. */
export type Told = Readonly<{ outcome: string; revision?: string }>;

export const told = ({ status, body }: Readonly<{ status: number; body: any }>): Told =>
  status < 300 ? { outcome: 'ok', revision: body.revision as string } : { outcome: (body.code as string | undefined) ?? `HTTP ${status}` };

type Written = Readonly<{ revision: bigint; type: string }>;
export type Race<M, W, E extends Written> = Readonly<{
  before: M;
  wishes: readonly W[];
  answers: readonly Told[];
  /** What the stream holds since `before`, in order. */
  events: readonly E[];
  predict(model: M, wish: W): string;
  follow(model: M, event: E): M | string;
  leaves(wish: W, model: M): string;
  /** Events that nobody has to answer for: of the product itself, or notes of refusals. */
  unasked(event: E): boolean;
}>;

/**
 * Holds a race against its model. The stream says in which order the accepted ones came; each has to have been allowed there, and each
 * refused one has to have been refused rightly at some moment of the race. What nobody was told about must not be written.
 */
export const judgeRace = <M, W, E extends Written>(race: Race<M, W, E>): M => {
  const { wishes, answers, events, predict } = race;
  const moments: M[] = [race.before];
  const claimed = new Set<string>();
  for (const event of events) {
    const before = moments.at(-1)!;
    const next = race.follow(before, event);
    if (typeof next === 'string') throw new Error(`${next} ${show(event)} after ${show(before)}`);
    const index = answers.findIndex(({ outcome, revision }) => outcome === 'ok' && revision === event.revision.toString());
    if (index >= 0) {
      claimed.add(event.revision.toString());
      const wish = wishes[index]!;
      if (predict(before, wish) !== 'ok' || race.leaves(wish, before) !== event.type)
        throw new Error(`${show(wish)} was accepted as ${event.type} after ${show(before)}`);
    } else if (!race.unasked(event)) throw new Error(`Nobody was told of ${show(event)}`);
    moments.push(next);
  }
  answers.forEach(({ outcome, revision }, index) => {
    const wish = wishes[index]!;
    if (outcome === 'ok') {
      if (!claimed.has(revision!)) throw new Error(`${show(wish)} was accepted, and nothing is written at ${revision}.`);
      return;
    }
    // Others were faster three times: nothing was decided.
    if (outcome === 'stream/busy') return;
    const allowed = [...new Set(moments.map((moment) => predict(moment, wish)))];
    if (!allowed.includes(outcome)) throw new Error(`${show(wish)} was answered ${outcome}, and the model allows ${allowed.join(' or ')}.`);
  });
  return moments.at(-1)!;
};

const show = (value: unknown): string => JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? `${item}` : item));

/** Whether so many runs are asked for that chance leaves nothing out. */
export const isLong = Number(process.env['FC_RUNS'] ?? 0) >= 50;

/** How many runs: `FC_RUNS=200` for a night; `FC_SEED` repeats one that failed. */
export const runs = (usual: number) => {
  const seed = Number(process.env['FC_SEED'] ?? Date.now() % 2 ** 31);
  process.stdout.write(`FC_SEED=${seed}\n`);
  return { seed, numRuns: Number(process.env['FC_RUNS'] ?? usual), endOnFailure: true };
};
