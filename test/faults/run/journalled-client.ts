import { derivedId, digestOf } from '#libs/kernel';
import type { Acknowledged, Asked } from '../checker/journal.js';
import type { Violation } from '../checker/violation.js';
import type { Client } from '../../support/client.js';
import type { Random } from './random.js';

/** What all clients of a run remember together. */
export type Notes = Readonly<{
  asked: Map<string, Asked>;
  acknowledged: Acknowledged[];
  refused: (Asked & { code: string })[];
  /** Answers that no client should get, whatever happens behind the server. */
  wrong: Violation[];
  /** Answers and failures by status or kind. */
  counts: Map<string, number>;
}>;

export const emptyNotes = (): Notes => ({ asked: new Map(), acknowledged: [], refused: [], wrong: [], counts: new Map() });

export type Told = Readonly<{ status: number; body: any }>;
export type Send = Readonly<{
  params?: Readonly<Record<string, string>>;
  body?: object;
  key: string;
  fence?: string;
  headers?: Readonly<Record<string, string>>;
}>;

/** One credential's client that does what good clients do: it sends under a key, again and again, until there is an answer, and remembers it. */
export class JournalledClient {
  constructor(
    private readonly client: Client,
    private readonly me: Readonly<{ id: string; tenantId: string }>,
    private readonly servers: readonly string[],
    private readonly notes: Notes,
    private readonly random: Random,
    private readonly given: AbortSignal,
  ) {}

  get id(): string {
    return this.me.id;
  }

  /** Sends a command until it is answered for good. Sometimes sends it to both servers at once, as impatient clients do. */
  async post(route: string, { params = {}, body = {}, key, fence, headers = {} }: Send): Promise<Told> {
    const commandId = derivedId(this.me.tenantId, this.me.id, `POST ${route}`, digestOf(params), key);
    const asked: Asked = { commandId, what: route, ...(fence !== undefined && { fence }) };
    this.notes.asked.set(commandId, asked);
    const target = route.replaceAll(/:(\w+)/g, (_, name: string) => params[name]!);
    let unsure = false;
    for (;;) {
      const send = (url: string) =>
        this.call(url, 'POST', target, { body: JSON.stringify(body), headers: { ...headers, 'idempotency-key': key } });
      const twice = this.random.chance(0.05);
      if (twice) unsure = true;
      const answers = await Promise.all((twice ? this.servers : [this.random.pick(this.servers)]).map(send));
      for (const answer of answers)
        if (answer && answer.status < 300 && answer.body?.position !== undefined) this.acknowledge(asked, answer);
      const final = answers.find((answer) => answer && answer.status < 300) ?? answers.find((answer) => answer && !isPassing(answer));
      if (final) {
        if (final.status >= 400) this.refuse(asked, final, unsure);
        return final;
      }
      if (answers.some((answer) => !answer || answer.status >= 500)) unsure = true;
      await this.pause();
    }
  }

  /** Reads until it is answered. */
  async get(path: string): Promise<Told> {
    for (;;) {
      const answer = await this.call(this.random.pick(this.servers), 'GET', path);
      if (answer && !isPassing(answer)) return answer;
      await this.pause();
    }
  }

  /** What leaves no event: a delegation, an artifact. */
  async plain(method: string, path: string, body?: string): Promise<Told> {
    for (;;) {
      const answer = await this.call(this.random.pick(this.servers), method, path, body === undefined ? {} : { body });
      if (answer && !isPassing(answer)) return answer;
      await this.pause();
    }
  }

  /** One sending; undefined: no answer came. */
  private async call(
    url: string,
    method: string,
    path: string,
    { body, headers = {} }: Readonly<{ body?: string; headers?: Readonly<Record<string, string>> }> = {},
  ): Promise<Told | undefined> {
    this.given.throwIfAborted();
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.client.credential}`,
          ...(body !== undefined && { 'content-type': method === 'PUT' ? 'application/octet-stream' : 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body }),
        signal: AbortSignal.timeout(10_000),
      });
      const text = await response.text();
      const answer = { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
      this.count(String(response.status));
      this.judge(method, path, answer);
      return answer;
    } catch (error) {
      this.count(error instanceof SyntaxError ? 'no JSON' : 'no answer');
      return undefined;
    }
  }

  /** A fault behind the server is said as what it is: 503, 504 or 429 as problem details, never as a bug or as the client's mistake. */
  private judge(method: string, path: string, { status, body }: Told): void {
    const wrong = [400, 401, 403, 422, 500].includes(status) && !EXPECTED.includes(body?.code);
    const untold = status >= 400 && typeof body?.code !== 'string';
    if (wrong || untold)
      this.notes.wrong.push({ rule: 'answers', place: `${method} ${path}`, detail: `${status} ${JSON.stringify(body)}` });
  }

  private acknowledge(asked: Asked, { body }: Told): void {
    const { id, revision, position, auditId } = body;
    this.notes.acknowledged.push({ ...asked, id, revision, position, auditId });
  }

  private refuse(asked: Asked, { body }: Told, unsure: boolean): void {
    this.count(body.code);
    // A sending that was given up may still arrive, and what was refused then be granted.
    if (!unsure) this.notes.refused.push({ ...asked, code: body.code });
  }

  private count(what: string): void {
    this.notes.counts.set(what, (this.notes.counts.get(what) ?? 0) + 1);
  }

  private async pause(): Promise<void> {
    const ms = this.random.between(50, 400);
    await new Promise((resolve) => setTimeout(resolve, ms));
  }
}

/** Refusals of 4xx kinds that the load runs into on purpose. */
const EXPECTED = ['lease/not-holder', 'confirmation/token-expired'];

const isPassing = ({ status, body }: Told): boolean => status >= 500 || status === 429 || body?.code === 'stream/busy';
