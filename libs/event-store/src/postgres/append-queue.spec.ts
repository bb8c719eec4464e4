import { DomainError, newId } from '#libs/kernel';
import { eventually } from '../../../../test/support/eventually.js';
import type { Append, Outcome } from './append-many.js';
import { AppendQueue } from './append-queue.js';

const append = (stream: string, size = 10): Append => ({
  stream,
  expected: -1n,
  events: [{ id: newId(), type: 'Noted', data: 'x'.repeat(size), meta: '{}', contentHash: '' }],
});
const stored = (appends: readonly Append[]): Outcome[] =>
  appends.map(({ stream }) => ({
    outcome: 'appended',
    places: [{ revision: 0n, position: stream.slice(1), recordedAt: '2026-01-05T10:00:00.000Z' }],
  }));
const positionIn = (outcome: Outcome) => 'places' in outcome && outcome.places[0]!.position;
const failure = (code: string) => Object.assign(new Error(`Failed with ${code}.`), { code });

/** A server whose answers the test gives. */
const server = () => {
  const calls: { streams: string[]; appends: readonly Append[]; answer: () => void; fail: (error: Error) => void }[] = [];
  const send = (appends: readonly Append[]) =>
    new Promise<Outcome[]>((resolve, reject) => {
      calls.push({ streams: appends.map(({ stream }) => stream), appends, answer: () => resolve(stored(appends)), fail: reject });
    });
  const call = async (index: number) => {
    await eventually(() => calls.length > index, 2000);
    return calls[index]!;
  };
  return { calls, send, call };
};

describe('An append', () => {
  const options = { connections: 1, patience: 10_000 };

  /** A queue whose only connection is busy until its first call is answered. */
  const busyQueue = async (send: (appends: readonly Append[]) => Promise<Outcome[]>, call: (index: number) => Promise<unknown>) => {
    const queue = new AppendQueue(send, options);
    void queue.append(append('s'));
    await call(0);
    return queue;
  };

  it('is sent in the same turn of the event loop, with those that came in it, when a connection is free', async () => {
    const { calls, send } = server();
    const queue = new AppendQueue(send, { ...options, connections: 2 });
    for (const stream of ['s1', 's2', 's3']) void queue.append(append(stream));
    await new Promise(setImmediate);
    void queue.append(append('s4'));
    await new Promise(setImmediate);
    void queue.append(append('s5'));
    await new Promise(setImmediate);
    expect(calls.map(({ streams }) => streams)).toEqual([['s1', 's2', 's3'], ['s4']]);
  });

  it('shares the free connections with the others where there are many', async () => {
    const { calls, send } = server();
    const queue = new AppendQueue(send, { ...options, connections: 3 });
    for (let count = 0; count < 100; count++) void queue.append(append('s'));
    await new Promise(setImmediate);
    expect(calls.map(({ streams }) => streams.length)).toEqual([34, 33, 33]);
  });

  it('waits with others while none is free, and travels with them, each with an answer of its own', async () => {
    const { calls, send, call } = server();
    const queue = await busyQueue(send, call);
    const answers = ['s1', 's4', 's2', 's3', 's2'].map((stream) => queue.append(append(stream)));
    calls[0]!.answer();
    (await call(1)).answer();
    expect((await Promise.all(answers)).map((outcome) => positionIn(outcome))).toEqual(['1', '4', '2', '3', '2']);
    expect(calls).toHaveLength(2);
  });

  it('travels in the order of streams, and among those of one stream in the order of coming', async () => {
    const { send, call } = server();
    const appends = ['s2', 's1', 's10', 's1'].map((stream) => append(stream));
    const queue = new AppendQueue(send, options);
    for (const each of appends) void queue.append(each);
    expect((await call(0)).appends).toEqual([appends[1], appends[3], appends[2], appends[0]]);
  });

  it('travels with as many others as make no long transaction', async () => {
    const { send, call } = server();
    const queue = await busyQueue(send, call);
    for (let count = 0; count < 300; count++) void queue.append(append('many'));
    for (let count = 0; count < 5; count++) void queue.append(append('large', 1_500_000));
    void queue.append(append('giant', 9_000_000));
    const sizes = [];
    for (let index = 0; index < 6; index++) {
      const { appends, answer } = await call(index);
      sizes.push(appends.length);
      answer();
    }
    expect(sizes).toEqual([1, 256, 46, 2, 1, 1]);
  });

  it('does not answer for another: a batch that fails goes again one by one', async () => {
    const sent: string[][] = [];
    const queue = new AppendQueue((appends) => {
      sent.push(appends.map(({ stream }) => stream));
      if (appends.some(({ stream }) => stream === 'bad')) return Promise.reject(failure('22P05'));
      return Promise.resolve(stored(appends));
    }, options);
    const outcomes = await Promise.allSettled(['s1', 's2', 'bad', 's3'].map((stream) => queue.append(append(stream))));
    expect(
      outcomes.map((outcome) => (outcome.status === 'rejected' ? (outcome.reason as Error).message : positionIn(outcome.value))),
    ).toEqual(['1', '2', 'Failed with 22P05.', '3']);
    expect(sent).toEqual([['bad', 's1', 's2', 's3'], ['bad'], ['s1'], ['s2'], ['s3']]);
  });

  it.each(['40P01', '40001', '08006', 'ECONNRESET', '57P01', '53300'])('is sent again, unchanged, after %s', async (code) => {
    const { calls, send, call } = server();
    const answer = new AppendQueue(send, options).append(append('s1'));
    (await call(0)).fail(failure(code));
    (await call(1)).answer();
    expect(await answer).toMatchObject({ outcome: 'appended', places: [{ position: '1' }] });
    expect(calls[1]!.appends).toEqual(calls[0]!.appends);
  });

  it('that gets no definite answer in time says so', async () => {
    const queue = new AppendQueue(() => Promise.reject(failure('ECONNREFUSED')), { connections: 1, patience: 100 });
    const refused: unknown = await queue.append(append('s1')).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DomainError);
    expect(refused).toMatchObject({ refusal: { kind: 'unavailable', code: 'event-store/unavailable' }, cause: { code: 'ECONNREFUSED' } });
    expect((refused as DomainError).refusal.detail).toContain('send the same again');
  });

  it('that never got its turn says that nothing was stored', async () => {
    const { calls, send, call } = server();
    const queue = new AppendQueue(send, { connections: 1, patience: 1_000 });
    const first = queue.append(append('s1'));
    await call(0);
    const second = queue.append(append('s2'));
    setTimeout(() => calls[0]!.answer(), 1_050);
    expect(await first).toMatchObject({ outcome: 'appended' });
    await expect(second).rejects.toMatchObject({
      refusal: { code: 'event-store/unavailable', detail: expect.stringContaining('Nothing was stored') as string },
    });
    expect(calls).toHaveLength(1);
  });

  it('is not sent again once the store is closed', async () => {
    const { calls, send, call } = server();
    const queue = new AppendQueue(send, options);
    const answer = queue.append(append('s1'));
    await call(0);
    queue.close();
    calls[0]!.fail(failure('57P01'));
    await expect(answer).rejects.toMatchObject({ refusal: { code: 'event-store/unavailable' } });
    expect(calls).toHaveLength(1);
  });
});
