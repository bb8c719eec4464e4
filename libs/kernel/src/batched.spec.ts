import { Batched } from './batched.js';

/** Calls whose answers the test gives. */
const asked = (calls: number) => {
  const sent: { questions: readonly string[]; answer: () => void; fail: (error: Error) => void }[] = [];
  const batched = new Batched<string, string>(
    (questions) =>
      new Promise((resolve, reject) => {
        sent.push({ questions, answer: () => resolve(questions.map((question) => `${question}!`)), fail: reject });
      }),
    calls,
  );
  return { batched, sent, questions: () => sent.map(({ questions }) => questions) };
};
const turn = () => new Promise(setImmediate);

describe('What is asked', () => {
  it('in one turn of the event loop is asked in one call, in its order, and each gets its own answer', async () => {
    const { batched, sent, questions } = asked(1);
    const answers = Promise.all(['c', 'a', 'b'].map((question) => batched.ask(question)));
    await turn();
    expect(questions()).toEqual([['c', 'a', 'b']]);
    sent[0]!.answer();
    expect(await answers).toEqual(['c!', 'a!', 'b!']);
  });

  it('while all calls are on their way waits for the next, together', async () => {
    const { batched, sent, questions } = asked(2);
    const answers = [];
    for (const question of ['a', 'b', 'c', 'd']) {
      answers.push(batched.ask(question));
      await turn();
    }
    expect(questions()).toEqual([['a'], ['b']]);
    sent[1]!.answer();
    expect(await answers[1]).toBe('b!');
    expect(questions()).toEqual([['a'], ['b'], ['c', 'd']]);
    sent[0]!.answer();
    sent[2]!.answer();
    expect(await Promise.all(answers)).toEqual(['a!', 'b!', 'c!', 'd!']);
    expect(batched.idle).toBe(true);
  });

  it('in a call that fails fails, and what is asked later does not', async () => {
    const { batched, sent } = asked(1);
    const lost = Promise.allSettled([batched.ask('a'), batched.ask('b')]);
    await turn();
    const later = batched.ask('c');
    expect(batched.idle).toBe(false);
    sent[0]!.fail(new Error('gone'));
    expect(await lost).toMatchObject([
      { status: 'rejected', reason: { message: 'gone' } },
      { status: 'rejected', reason: { message: 'gone' } },
    ]);
    await turn();
    sent[1]!.answer();
    expect(await later).toBe('c!');
  });

  it('by very many is asked in several calls', async () => {
    const { batched, questions } = asked(3);
    for (let count = 0; count < 300; count++) void batched.ask('a');
    await turn();
    expect(questions().map(({ length }) => length)).toEqual([128, 128, 44]);
  });
});
