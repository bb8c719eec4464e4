import { derivedId, sha256 } from '#libs/kernel';
import type { Client } from '../../support/client.js';
import { eventually } from '../../support/eventually.js';
import { JournalledClient, type Notes, type Told } from './journalled-client.js';
import type { Random } from './random.js';
import type { Stage } from './stage.js';

type Role = 'mia' | 'ann' | 'ben' | 'otto' | 'eve' | 'ida' | 'vera' | 'ivo';
export type Players = Readonly<Record<Role, JournalledClient>>;

const OUTPUT = 'ok 1 - greets by name\n';
const PATIENCE_MS = 180_000;

/** The demo's people and agents, and a second implementer, each as a client that keeps a journal. */
export const assemble = async (stage: Stage, notes: Notes, random: Random, given: AbortSignal): Promise<Players> => {
  const servers = stage.actors.map(({ url }) => url);
  const as = async (client: Client) => {
    // A credential that was just issued is known a moment later.
    const { id, tenant } = await eventually(async () => {
      const { status, body } = await client.get('/api/me');
      return status === 200 && body;
    }, PATIENCE_MS);
    return new JournalledClient(client, { id, tenantId: tenant.id }, servers, notes, random.fork(), given);
  };
  const { cast } = stage;
  const players: Record<string, JournalledClient> = {};
  for (const name of ['mia', 'ann', 'ben', 'otto', 'eve', 'ida', 'vera'] as const) players[name] = await as(cast[name]);
  const ian = (await cast.ian.get('/api/me')).body.id as string;
  const wish = { kind: 'agent', name: 'Ivo Implementer', roles: ['implementer'], capabilities: ['code'], accountableHuman: ian };
  const issued = await players['otto']!.post('/api/credentials', { body: wish, key: 'ivo' });
  players['ivo'] = await as(cast.ida.withCredential(issued.body.credential as string));
  for (const name of ['vera', 'ida'] as const) await players[name]!.plain('PUT', `/api/artifacts/${sha256(OUTPUT)}`, OUTPUT);
  return players as Players;
};

/** Trips and edits until `over`, several at once, under keys that begin with `name`; resolves with how many of each came to their end. */
export const keepBusy = async (
  players: Players,
  random: Random,
  { width, over, name = 'trip' }: Readonly<{ width: number; over: AbortSignal; name?: string }>,
): Promise<Readonly<{ trips: number; edits: number }>> => {
  const done = { trips: 0, edits: 0 };
  const worker = async (index: number, own: Random): Promise<void> => {
    for (let round = 0; !over.aborted; round++) {
      const trip = new Trip(players, own, `${name}-${index}-${round}`, over);
      if (own.chance(0.75)) {
        await trip.wholeWay();
        done.trips++;
      } else {
        await trip.rivalEdits();
        done.edits++;
      }
    }
  };
  await Promise.all(Array.from({ length: width }, (_, index) => worker(index, random.fork())));
  return done;
};

/** One way through the product, by clients who race, fall asleep over their lease, and never give up. */
class Trip {
  private step = 0;

  constructor(
    private readonly players: Players,
    private readonly random: Random,
    private readonly name: string,
    private readonly over: AbortSignal,
  ) {}

  async wholeWay(): Promise<void> {
    const created = await this.decided('record.create', { kind: 'work_item', fields: { title: this.name } });
    if (!created.stream) return;
    const work = {
      repository: '/srv/git/greetings',
      baseRevision: 'a'.repeat(40),
      paths: ['src'],
      commands: [],
      checks: [['node', '--test']],
      criteria: [],
    };
    const recordId = created.stream.slice('record-'.length);
    const dispatched = await this.decided('work.dispatch', { recordId, work });
    if (dispatched.stream) await this.drive(derivedId(dispatched.proposalId, 'task'));
  }

  /** Two changes of one record that are both approved: one of them is carried out, the other is told that it came late, or both follow each other. */
  async rivalEdits(): Promise<void> {
    const { stream } = await this.decided('record.create', { kind: 'work_item', fields: { title: this.name } });
    if (!stream) return;
    const recordId = stream.slice('record-'.length);
    await Promise.all(
      ['one', 'two'].map((title) => this.decided('record.change', { recordId, changes: { title: `${this.name} ${title}` } })),
    );
  }

  private key(what: string): string {
    return `${this.name}-${this.step++}-${what}`;
  }

  /** Proposes and has it decided; `stream` is what it changed, undefined where it was declined or came to nothing. */
  private async decided(operation: string, args: object): Promise<{ proposalId: string; stream?: string }> {
    const { mia, eve, ann, ben } = this.players;
    const { delegation } = (await mia.plain('POST', '/api/delegations', '{}')).body;
    const proposed = await eve.post('/api/proposals', {
      body: { operation, arguments: args, reason: this.name },
      key: this.key('propose'),
      headers: { 'workbench-delegation': delegation },
    });
    const proposalId = proposed.body?.proposalId as string | undefined;
    // The record moved on before it was proposed.
    if (proposalId === undefined) return { proposalId: '' };
    const params = { id: proposalId };
    const approve = async (who: JournalledClient): Promise<Told> => {
      const { body } = await who.get(`/api/confirmations/${proposalId}`);
      const token = (body.confirmation_token as string | undefined) ?? 'none';
      if (token === 'none') return { status: 409, body };
      return who.post('/api/confirmations/:id/approve', { params, body: { confirmation_token: token }, key: this.key('approve') });
    };
    const decline = () => ben.post('/api/confirmations/:id/decline', { params, body: { reason: 'Not now.' }, key: this.key('decline') });
    const rivals = this.random.pick([[], [], [() => approve(ben)], [() => approve(ben), () => approve(ann)], [decline]]);
    await Promise.all([approve(ann), ...rivals.map((act) => act())]);
    const card = await this.until(async () => {
      const { card } = (await ann.get(`/api/confirmations/${proposalId}`)).body;
      // Its record moved on before anybody decided: it stays as it is until somebody proposes it again, which nobody does here.
      if (card.status === 'pending' && card.conflict.stale) return card;
      if (card.status === 'pending') await approve(ann); // its token had been used up, or the card had changed
      return !['pending', 'approved'].includes(card.status as string) && card;
    });
    return { proposalId, ...(card.receipts && { stream: card.receipts[0].stream as string }) };
  }

  /** Does whatever the task needs next until it is shipped and has its receipt. */
  private async drive(id: string): Promise<void> {
    const { otto, vera } = this.players;
    const leases = new Map<string, JournalledClient>();
    const revision = sha256(id).slice(0, 40);
    let naps = this.random.pick([0, 1, 1, 2]);
    const usual = this.random.pick([this.players.ida, this.players.ivo]);
    await this.until(async () => {
      const { status, body: task } = await otto.get(`/api/tasks/${id}`);
      if (status === 404) return false;
      const fence = task.fence as string;
      switch (task.status as string) {
        case 'queued': {
          // Often the very same agent: a process of it that hangs, and one that was started in its place.
          const who = this.random.chance(0.6) ? usual : this.random.pick([this.players.ida, this.players.ivo]);
          const claimed = await who.post('/api/leases', { body: { taskId: id }, key: this.key('claim') });
          if (claimed.status === 200) leases.set(claimed.body.fence as string, who);
          return false;
        }
        case 'leased': {
          const holder = leases.get(fence);
          if (!holder) return false; // an answer that was lost for good: it expires
          if (naps-- > 0) return this.fallAsleep(id, fence);
          // Whoever slept wakes up first, and reports as if nothing had happened.
          for (const [old, sleeper] of leases) if (old !== fence) await this.report(sleeper, id, old, revision);
          if (this.random.chance(0.3))
            await holder.post('/api/leases/:id/renew', {
              params: { id: `${id}.${fence}` },
              body: { fence },
              fence,
              key: this.key('renew'),
            });
          await this.report(holder, id, fence, revision);
          return false;
        }
        case 'reported':
          await vera.post('/api/verifications/:taskId/claim', { params: { taskId: id }, body: {}, key: this.key('verify') });
          return false;
        case 'verifying': {
          if (this.random.chance(0.1)) return false; // it may expire
          const body = {
            fence,
            reportDigest: task.report.reportDigest,
            verdict: 'verified',
            findings: [],
            evidence: [evidence],
            changedPaths: [{ path: 'src/greet.mjs', change: 'modified' }],
            tree: 'c'.repeat(40),
          };
          await vera.post('/api/verifications/:taskId/verdict', { params: { taskId: id }, body, fence, key: this.key('verdict') });
          return false;
        }
        case 'verified':
          await otto.post('/api/tasks/:id/ship', { params: { id }, body: { revision }, key: this.key('ship') });
          return false;
        case 'exhausted':
          await otto.post('/api/tasks/:id/requeue', { params: { id }, body: { reason: 'Once more.' }, key: this.key('requeue') });
          return false;
        default:
          return task.receiptId as string | undefined;
      }
    });
  }

  /** The lease runs out, or an operator takes it away. */
  private async fallAsleep(id: string, fence: string): Promise<false> {
    if (this.random.chance(0.6))
      await this.players.otto.post('/api/leases/:id/revoke', {
        params: { id: `${id}.${fence}` },
        body: { reason: 'Asleep.' },
        fence,
        key: this.key('revoke'),
      });
    await this.until(async () => {
      const { body } = await this.players.otto.get(`/api/tasks/${id}`);
      return body.status !== 'leased' || body.fence !== fence;
    });
    return false;
  }

  private report(who: JournalledClient, id: string, fence: string, revision: string): Promise<Told> {
    const body = {
      fence,
      revision,
      artifacts: [{ path: 'src/greet.mjs', mediaType: 'text/javascript', size: 1, sha256: sha256(revision), commit: revision }],
      changedPaths: [{ path: 'src/greet.mjs', change: 'modified' }],
      evidence: [evidence],
      summary: 'Greets by name.',
    };
    return who.post('/api/leases/:id/report', { params: { id: `${id}.${fence}` }, body, fence, key: this.key('report') });
  }

  private async until<T>(probe: () => Promise<T>): Promise<NonNullable<Exclude<T, false>>> {
    // As long as things go wrong there is no telling when; once they do not, there is.
    for (let end: number | undefined; ;) {
      const value = await probe();
      if (value !== undefined && value !== null && value !== false) return value as NonNullable<Exclude<T, false>>;
      if (this.over.aborted) end ??= Date.now() + PATIENCE_MS;
      if (end !== undefined && Date.now() > end) throw new Error(`${this.name} did not come to its end in ${PATIENCE_MS / 1000} s.`);
      const ms = this.random.between(20, 150);
      await new Promise((resolve) => setTimeout(resolve, ms));
    }
  }
}

const evidence = { check: '0', status: 'passed', exitCode: 0, outputSha256: sha256(OUTPUT), durationMs: 12, testsRun: 1 };
