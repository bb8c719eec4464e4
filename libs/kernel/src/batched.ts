type Waiting<Q, A> = Readonly<{ question: Q; resolve: (answer: A) => void; reject: (reason: unknown) => void }>;

/** Most questions that one call asks. */
const MOST = 128;

/**
 * Asks what is asked within one turn of the event loop, or while its calls are on their way, in one call, in the order of asking. A
 * call that fails fails for all whom it asked for.
 */
export class Batched<Q, A> {
  private readonly waiting: Waiting<Q, A>[] = [];
  private busy = 0;
  private turn: NodeJS.Immediate | undefined;

  /** `call` answers as many as it is asked, in their order; at most `calls` of them are on their way at once. */
  constructor(
    private readonly call: (questions: readonly Q[]) => Promise<readonly A[]>,
    private readonly calls: number,
  ) {}

  ask(question: Q): Promise<A> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ question, resolve, reject });
      // Those who were answered together come back together: the first of them must not leave alone, and the rest wait for it.
      this.turn ??= setImmediate(() => {
        this.turn = undefined;
        this.pump();
      });
    });
  }

  /** Whether nobody waits for an answer. */
  get idle(): boolean {
    return this.waiting.length === 0 && this.busy === 0;
  }

  private pump(): void {
    while (this.busy < this.calls && this.waiting.length > 0) {
      this.busy++;
      void this.settle(this.waiting.splice(0, MOST));
    }
  }

  private async settle(batch: readonly Waiting<Q, A>[]): Promise<void> {
    try {
      const answers = await this.call(batch.map(({ question }) => question));
      batch.forEach(({ resolve }, index) => resolve(answers[index]!));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.busy--;
      this.pump();
    }
  }
}
