import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { GuardedClient } from '#libs/postgres';
import { eventually } from '../../support/eventually.js';
import type { Random } from './random.js';
import type { Actor, Stage } from './stage.js';
import { openBadStreams } from './stream-clients.js';

type Fault = Readonly<{
  /** Why it cannot be made here. */
  skip?(stage: Stage): string | undefined;
  /** Makes it, waits until it is over, and answers what was done, for people. */
  make(stage: Stage, random: Random): Promise<string>;
}>;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const anyOf = (stage: Stage, random: Random): Actor => random.pick(stage.actors);

const asAdmin = async <T>(stage: Stage, work: (client: GuardedClient) => Promise<T>): Promise<T> => {
  const client = new GuardedClient({ ...stage.admin, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
};

const badLine =
  (name: string, make: (actor: Actor, random: Random, ms: number) => void, recover: (actor: Actor) => void) =>
  async (stage: Stage, random: Random): Promise<string> => {
    const [actor, ms] = [anyOf(stage, random), random.between(800, 4_000)];
    make(actor, random, ms);
    await pause(ms);
    recover(actor);
    return `the line of server ${actor.name} was ${name} for ${ms} ms`;
  };

/** Everything that may go wrong around the product. */
export const KINDS = {
  kill: {
    make: async (stage, random) => {
      const [actor, down] = [anyOf(stage, random), random.between(0, 1_500)];
      await actor.restart('SIGKILL', down);
      return `server ${actor.name} was killed and started ${down} ms later`;
    },
  },
  'kill-both': {
    make: async (stage, random) => {
      const down = random.between(0, 1_500);
      await Promise.all(stage.actors.map((actor) => actor.restart('SIGKILL', down)));
      return `both servers were killed and started ${down} ms later`;
    },
  },
  deploy: {
    make: async (stage, random) => {
      const actor = anyOf(stage, random);
      await actor.restart('SIGTERM', 0);
      return `server ${actor.name} was asked to end and started again`;
    },
  },
  clock: {
    make: async (stage, random) => {
      const [actor, ms, TZ] = [anyOf(stage, random), random.pick([-600_000, 600_000]), random.pick(['Asia/Tokyo', 'America/St_Johns'])];
      await actor.restart('SIGKILL', 0, { WORKBENCH_MAIN: stage.mainWithClockOff, WORKBENCH_CLOCK_OFF_MS: String(ms), TZ });
      return `server ${actor.name} was started with a clock that is ${ms / 60_000} minutes off, in ${TZ}`;
    },
  },
  pause: {
    make: async (stage, random) => {
      const [actor, ms] = [anyOf(stage, random), random.between(500, 6_000)];
      const child = actor.process()?.child;
      child?.kill('SIGSTOP');
      await pause(ms);
      child?.kill('SIGCONT');
      return `server ${actor.name} stood still for ${ms} ms`;
    },
  },
  cut: {
    make: async (stage, random) => {
      const [actor, times] = [anyOf(stage, random), random.between(1, 5)];
      let count = 0;
      for (let time = 0; time < times; time++) {
        count += actor.line.cut();
        await pause(random.between(50, 400));
      }
      return `${count} connections of server ${actor.name} were cut`;
    },
  },
  partition: {
    make: badLine(
      'closed',
      (actor) => actor.line.become('closed'),
      (actor) => actor.line.become('open'),
    ),
  },
  'half-open': {
    make: badLine(
      'silent',
      (actor) => actor.line.become('silent'),
      (actor) => {
        // What was under way is lost, or comes through after all.
        if (Date.now() % 2 === 0) actor.line.cut();
        actor.line.become('open');
      },
    ),
  },
  slow: {
    make: badLine(
      'slow',
      (actor, random) => actor.line.become({ slow: random.between(5, 60) }),
      (actor) => actor.line.become('open'),
    ),
  },
  'postgres-kill': {
    make: async (stage, random) => {
      const down = random.between(0, 1_500);
      const pid = stage.postmaster();
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
      await pause(down);
      await stage.startPostgres();
      return `PostgreSQL was killed and started ${down} ms later`;
    },
  },
  'backend-kill': {
    make: async (stage, random) => {
      const pids = await asAdmin(stage, async (client) =>
        (
          await client.query<{ pid: number }>(`select pid from pg_stat_activity where application_name like 'workbench%' order by pid`)
        ).rows.map(({ pid }) => pid),
      );
      if (pids.length === 0) return 'no process of PostgreSQL served us';
      process.kill(random.pick(pids), 'SIGKILL');
      await eventually(() => asAdmin(stage, (client) => client.query('select 1')), 60_000);
      return 'one of PostgreSQL’s processes was killed, and it ended all others and recovered';
    },
  },
  streams: {
    make: async (stage, random) => {
      const [actor, count, ms] = [anyOf(stage, random), random.between(2, 10), random.between(1_000, 3_000)];
      const close = openBadStreams(actor.url, stage.cast.otto.credential!, count);
      await pause(ms);
      close();
      return `${count * 6} slow, half-open and hostile clients were at server ${actor.name} for ${ms} ms`;
    },
  },
  pool: {
    make: async (stage, random) => {
      const ms = random.between(1_000, 7_000);
      await lockEvents(stage, ms).catch((error: Error) => error);
      return `the events were locked for ${ms} ms, so that every connection was soon in use`;
    },
  },
  'disk-full': {
    skip: (stage) => (stage.ownDisk ? undefined : 'only root can mount a small disk'),
    make: async (stage, random) => {
      const ms = random.between(2_000, 5_000);
      fillDisk(stage);
      await pause(ms);
      const survived = stage.postmaster() !== undefined;
      makeRoom(stage);
      await stage.startPostgres();
      return `the disk was full for ${ms} ms${survived ? '' : ', which PostgreSQL did not survive; it was started again'}`;
    },
  },
} as const satisfies Readonly<Record<string, Fault>>;

export type Kind = keyof typeof KINDS;
export const allKinds = Object.keys(KINDS) as Kind[];

const filler = ({ dataDir }: Stage) => path.join(dataDir, 'filler');

export const fillDisk = (stage: Stage): void => {
  const filled = spawnSync('dd', ['if=/dev/zero', `of=${filler(stage)}`, 'bs=1M'], { stdio: 'ignore' });
  if (filled.status === 0) throw new Error('The disk did not fill up.');
};

export const makeRoom = (stage: Stage): void => rmSync(filler(stage), { force: true });

/** Nobody reads or writes an event for so long. */
export const lockEvents = (stage: Stage, ms: number): Promise<void> =>
  asAdmin(stage, async (client) => {
    await client.query('begin');
    await client.query(`set local lock_timeout = '5s'`);
    await client.query('lock table es.events in access exclusive mode');
    await pause(ms);
    await client.query('rollback');
  });
