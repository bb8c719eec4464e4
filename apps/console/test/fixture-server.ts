import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { type AddressInfo } from 'node:net';
import path from 'node:path';
import { type Card, type CardStatus, type Grant, type Permission, type Task } from '../src/api.js';
import { ANN, BOB, ME } from './fixture-data.js';
import { permissionFixture } from './fixture-permissions.js';
import { RECEIPT_ID, receipt } from './fixture-receipt.js';

export const CREDENTIAL = 'wb_test_credential';
const COOKIE = 'workbench_session=s1';
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

export type Given = { cards?: Card[]; tasks?: Task[]; permissions?: Permission[]; grants?: Grant[] };
type Refusal = { path: RegExp; status: number; problem: Record<string, unknown> };
type Got = { method: string; path: string; body: Record<string, unknown>; headers: IncomingMessage['headers'] };

/** The console's build and an API that answers as the real one is promised to, over real HTTP; steered by the test. */
export const startFixture = async (
  dist: string,
  { cards = [], tasks = [], heartbeatMs = 1000, ...given }: Given & { heartbeatMs?: number } = {},
) => {
  const byId = new Map(cards.map((card) => [card.confirmationId, card]));
  const streams = new Set<ServerResponse>();
  const tokens = new Map<string, string>();
  const got: Got[] = [];
  let refusals: Refusal[] = [];
  let drops: RegExp[] = [];
  let signedIn = true;
  let away = false;
  let minted = 0;

  const send = (stream: ServerResponse, type: string, data: unknown): void =>
    void stream.write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
  const push = (type: string, data: unknown): void => streams.forEach((stream) => send(stream, type, data));
  const json = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, {
      'content-type': status < 400 ? 'application/json' : 'application/problem+json',
      'cache-control': 'no-store',
    });
    response.end(JSON.stringify(body));
  };
  const refuse = (response: ServerResponse, status: number, code: string, detail: string): void =>
    json(response, status, { code, detail, status });

  const requests = permissionFixture(given, push, json);

  const close = (id: string, status: CardStatus, over: Partial<Card> = {}): Card => {
    const card: Card = { ...byId.get(id)!, status, actions: [], ...over };
    byId.set(id, card);
    push('card_closed', { confirmationId: id, status, card });
    return card;
  };
  const decided = (by: { id: string; name: string }, outcome: string, reason?: string) => ({
    by,
    outcome,
    at: new Date().toISOString(),
    ...(reason ? { reason } : {}),
  });

  const stream = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    streams.add(response);
    send(response, 'snapshot', { confirmations: [...byId.values()].filter((card) => card.status === 'pending'), tasks });
    send(response, 'ready', {});
    const heartbeat = setInterval(() => response.write(': still here\n\n'), heartbeatMs);
    response.on('close', () => {
      clearInterval(heartbeat);
      streams.delete(response);
    });
  };

  const command = (response: ServerResponse, id: string, verb: string, body: Record<string, unknown>): void => {
    const card = byId.get(id);
    if (!card) return refuse(response, 404, 'http/404', 'There is no such card.');
    if (verb === 'repropose') {
      const again: Card = {
        ...card,
        confirmationId: `${id}-again`,
        status: 'pending',
        conflict: { stale: false, moved: [] },
        targets: card.targets.map((target) => ({ ...target, revision: '8' })),
        target: card.target && { ...card.target, revision: '8' },
        supersedes: id,
        presentedDigest: 'f'.repeat(64),
        actions: ['approve', 'decline'],
      };
      byId.set(again.confirmationId, again);
      close(id, 'superseded', { supersededBy: again.confirmationId });
      push('card', { confirmationId: again.confirmationId, status: 'pending', card: again });
      return json(response, 202, { id: again.confirmationId, confirmationId: again.confirmationId });
    }
    if (card.status !== 'pending') {
      return refuse(
        response,
        409,
        'confirmation/decided',
        `${card.decision?.by?.name ?? 'Someone'} ${card.decision?.outcome ?? card.status} this card before you.`,
      );
    }
    if (verb === 'approve') {
      if (card.conflict.stale) return refuse(response, 409, 'confirmation/stale', 'The target has changed. Propose it again.');
      if (tokens.get(String(body.confirmation_token)) !== id)
        return refuse(response, 409, 'confirmation/token-used', 'This approval was used before. Read the card again.');
      tokens.delete(String(body.confirmation_token));
      close(id, 'committed', { decision: decided(ANN, 'approved') });
      return json(response, 200, { id });
    }
    close(id, 'declined', { decision: decided(ANN, 'declined', String(body.reason)) });
    json(response, 200, { id });
  };

  const api = async (request: IncomingMessage, response: ServerResponse, pathname: string): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const body = text ? (JSON.parse(text) as Record<string, unknown>) : {};
    const method = request.method ?? 'GET';
    got.push({ method, path: pathname, body, headers: request.headers });
    const refusal = refusals.find((candidate) => candidate.path.test(`${method} ${pathname}`));
    if (refusal) {
      refusals = refusals.filter((candidate) => candidate !== refusal);
      return json(response, refusal.status, refusal.problem);
    }
    const drop = drops.find((pattern) => pattern.test(`${method} ${pathname}`));
    if (drop) {
      drops = drops.filter((pattern) => pattern !== drop);
      // Half an answer: had there been none, the browser itself would have sent the request again.
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
      return void response.write('{', () => request.socket.destroy());
    }
    if (pathname === '/api/session') {
      if (method === 'POST' && body.credential !== CREDENTIAL)
        return refuse(response, 401, 'auth/invalid', 'This credential is not valid. Check it.');
      response.setHeader(
        'set-cookie',
        method === 'POST' ? `${COOKIE}; HttpOnly; SameSite=Strict; Path=/` : 'workbench_session=; Max-Age=0; Path=/',
      );
      signedIn = method === 'POST';
      return method === 'POST' ? json(response, 200, ME) : void response.writeHead(204).end();
    }
    if (!signedIn || !request.headers.cookie?.includes(COOKIE)) return refuse(response, 401, 'session/none', 'Sign in first.');
    if (pathname === '/api/me') return json(response, 200, ME);
    if (pathname === '/api/events/stream') return stream(response);
    if (requests.handle(request, response, pathname, body)) return;
    if (pathname === '/api/receipts') {
      const { chain, auditId, taskId } = receipt().statement.predicate;
      const line = {
        receiptId: RECEIPT_ID,
        taskId,
        auditId,
        title: chain.work.title,
        shippedAt: chain.shipped.at,
        revision: chain.shipped.revision,
      };
      return json(response, 200, { items: [line], next: null });
    }
    if (pathname === `/api/receipts/${RECEIPT_ID}`) {
      return json(response, 200, request.headers.accept === 'application/vnd.dsse+json' ? receipt().envelope : receipt());
    }
    const [, id = '', verb] = /^\/api\/confirmations\/([^/]+)(?:\/(\w+))?$/.exec(pathname) ?? [];
    if (verb) return command(response, id, verb, body);
    const card = byId.get(id);
    if (!card) return refuse(response, 404, 'http/404', 'There is no such card.');
    if (!card.actions.includes('approve')) return json(response, 200, { card });
    const token = `token-${++minted}`;
    tokens.set(token, id);
    json(response, 200, { card, confirmation_token: token });
  };

  const file = async (response: ServerResponse, pathname: string): Promise<void> => {
    const name = pathname === '/' ? '/index.html' : pathname;
    const bytes = await readFile(path.join(dist, path.normalize(name))).catch(() => undefined);
    response.writeHead(bytes ? 200 : 404, {
      'content-type': TYPES[path.extname(name)] ?? 'application/octet-stream',
      'content-security-policy': "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    });
    response.end(bytes);
  };

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (away) return void request.socket.destroy();
    void (pathname.startsWith('/api/') ? api(request, response, pathname) : file(response, pathname));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    got,
    push,
    requests,
    card: (id: string): Card => byId.get(id)!,
    put(card: Card): void {
      byId.set(card.confirmationId, card);
      push('card', { confirmationId: card.confirmationId, status: card.status, card });
    },
    /** A record moved: the server's next reading of the card says so, and the feed tells of the record only. */
    moveRecord(id: string): void {
      const card = byId.get(id)!;
      const [{ title = '', id: recordId = '', revision: shownRevision = '' } = {}] = card.targets;
      const moved = [{ id: recordId, title, shownRevision, presentRevision: '8' }];
      byId.set(id, { ...card, conflict: { stale: true, detail: `"${title}" changed.`, moved }, actions: ['decline', 'repropose'] });
      push('record', { recordId, kind: 'content_brief', title, status: 'active', revision: '8' });
    },
    /** Changes what the server knows without the feed saying so. */
    change: (card: Card): void => void byId.set(card.confirmationId, card),
    approvedElsewhere: (id: string): void => void close(id, 'committed', { decision: decided(BOB, 'approved') }),
    expire: (id: string): void => void close(id, 'expired', { actions: ['repropose'] }),
    refuseNext: (path: RegExp, status: number, problem: Record<string, unknown>): void => void refusals.push({ path, status, problem }),
    /** The next such request arrives, and its answer gets lost on the way. */
    dropNext: (path: RegExp): void => void drops.push(path),
    /** The server goes away: streams break without a word and nothing answers. */
    goAway(): void {
      away = true;
      server.closeAllConnections();
    },
    comeBack: (): void => void (away = false),
    endSession(): void {
      signedIn = false;
      server.closeAllConnections();
    },
    stop: (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
export type Fixture = Awaited<ReturnType<typeof startFixture>>;
