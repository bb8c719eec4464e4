import { request } from 'node:http';
import { readFileSync } from 'node:fs';
import { eventually } from '../support/eventually.js';
import { checkLog } from './checker/check-log.js';
import { emptyNotes, type Notes } from './run/journalled-client.js';
import { fillDisk, KINDS, lockEvents, makeRoom, type Kind } from './run/kinds.js';
import { assemble, keepBusy, type Players } from './run/load.js';
import { tailLog, type LogTail } from './run/log-tail.js';
import { randomFrom } from './run/random.js';
import { createStage, type Stage } from './run/stage.js';
import { openBadStreams } from './run/stream-clients.js';

jest.setTimeout(300_000);
const SEED = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);

/** One write as it is answered, once, with no retry. */
const write = (stage: Stage): Promise<{ status: number; code?: string; retryAfter?: string; ms: number }> =>
  new Promise((resolve, reject) => {
    const began = Date.now();
    const { otto } = stage.cast;
    const body = JSON.stringify({ kind: 'agent', name: 'Ina', roles: ['implementer'], accountableHuman: accountable });
    const headers = { authorization: `Bearer ${otto.credential}`, 'content-type': 'application/json' };
    const sent = request(`${stage.actors[0]!.url}/api/credentials`, { method: 'POST', headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => {
        const { code } = JSON.parse(text) as { code?: string };
        const retryAfter = response.headers['retry-after'];
        resolve({ status: response.statusCode!, ...(code && { code }), ...(retryAfter && { retryAfter }), ms: Date.now() - began });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
let accountable: string;
let loads = 0;

// One stage for all: each of them leaves the product as it found it.
describe(`Under load (FAULT_SEED=${SEED})`, () => {
  const random = randomFrom(SEED);
  const giveUp = new AbortController();
  let stage: Stage;
  let notes: Notes;
  let players: Players;
  let tail: LogTail;
  beforeAll(async () => {
    stage = await createStage({ diskMegabytes: 500 });
    tail = await tailLog(stage.urls);
    notes = emptyNotes();
    players = await assemble(stage, notes, random, giveUp.signal);
    accountable = (await stage.cast.ian.get('/api/me')).body.id as string;
  });
  afterAll(async () => {
    giveUp.abort(new Error('The test is over.'));
    await tail?.close();
    await stage?.close();
  });

  /** Keeps clients busy while `work` goes on, and then holds all that they were told against the log. */
  const underLoad = async (work: () => Promise<void>): Promise<void> => {
    const over = new AbortController();
    const busy = keepBusy(players, random.fork(), { width: 3, over: over.signal, name: `load-${++loads}` });
    busy.catch(() => undefined);
    const acknowledged = notes.acknowledged.length;
    try {
      await work();
      // It goes on: somebody is told of something new.
      const so = notes.acknowledged.length;
      await eventually(() => notes.acknowledged.length > so, 60_000);
    } finally {
      over.abort();
    }
    await busy;
    expect(notes.acknowledged.length).toBeGreaterThan(acknowledged);
    const log = await tail.read();
    // What this test writes by itself has no key, and is in no journal.
    const own = log.filter(({ type, meta }) => type === 'CredentialIssued' && !notes.asked.has(meta.commandId));
    for (const { meta } of own) notes.asked.set(meta.commandId, { commandId: meta.commandId, what: 'own' });
    expect(checkLog(log, { journal: notes })).toEqual([]);
    expect(notes.wrong).toEqual([]);
    expect(stage.died).toEqual([]);
  };

  it.each<[string, Kind]>([
    ['PostgreSQL that is killed and started again', 'postgres-kill'],
    ['connections that are cut', 'cut'],
    ['connections on which nothing is heard', 'half-open'],
    ['a server that stands still for longer than a lease', 'pause'],
  ])('%s costs nothing that was acknowledged', (_, kind) =>
    underLoad(async () => {
      for (let time = 0; time < 2; time++) await KINDS[kind].make(stage, random.fork());
    }),
  );

  it('a full disk is told as a problem of the server, and work goes on once there is room', async () => {
    const impossible = KINDS['disk-full'].skip(stage);
    if (impossible !== undefined) return console.warn(`Skipped: ${impossible}.`);
    await underLoad(async () => {
      fillDisk(stage);
      try {
        // Until the space that it has set aside is used up, writes go through.
        const answer = await eventually(async () => {
          const one = await write(stage);
          return one.status !== 201 && one;
        }, 60_000);
        expect(answer).toMatchObject({
          status: 503,
          code: expect.stringMatching(/unavailable/),
          retryAfter: expect.stringMatching(/^\d+$/),
        });
      } finally {
        makeRoom(stage);
        await stage.startPostgres();
      }
      await eventually(async () => (await write(stage)).status === 201, 60_000);
    });
  });

  it('a database that answers no write makes nothing pile up: whoever is too many is told to come back, and then it goes on', async () => {
    await underLoad(async () => {
      const locked = lockEvents(stage, 12_000);
      const answers = await Promise.all(Array.from({ length: 200 }, () => write(stage)));
      await locked;
      const refused = answers.filter(({ status }) => status !== 201);
      expect(refused.length).toBeGreaterThan(0);
      for (const answer of refused) {
        expect([429, 503]).toContain(answer.status);
        expect(answer.retryAfter).toMatch(/^\d+$/);
      }
      await eventually(async () => {
        const { status, ms } = await write(stage);
        return status === 201 && ms < 2_000;
      }, 60_000);
    });
  });

  it('clients of the live feed that never read, never finish or talk nonsense cost little memory, and others hear as before', async () => {
    await underLoad(async () => {
      const [{ url, process: running }] = [stage.actors[0]!];
      const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${running()!.child.pid}/status`, 'utf8'))![1]) / 1024;
      const before = resident();
      const close = openBadStreams(url, stage.cast.otto.credential!, 10);
      try {
        const until = Date.now() + 5_000;
        let slowest = 0;
        await eventually(async () => {
          const { status, ms } = await write(stage);
          expect(status).toBe(201);
          slowest = Math.max(slowest, ms);
          return Date.now() > until;
        }, 60_000);
        expect(slowest).toBeLessThan(10_000);
        expect(resident() - before).toBeLessThan(150);
      } finally {
        close();
      }
    });
  });
});
