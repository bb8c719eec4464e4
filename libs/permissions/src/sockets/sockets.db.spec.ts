import { connect as connectSocket } from 'node:net';
import { eventually } from '../../../../test/support/eventually.js';
import { Client } from '../../../../test/support/client.js';
import { PermissionSettings } from '../permission-settings.js';
import { startPermissions, type PermissionServer } from '../testing/permission-server.js';
import { connect, type SocketClient } from '../testing/socket-client.js';

describe('/ws/permissions', () => {
  let server: PermissionServer;
  let other: PermissionServer;
  let mia: string;
  const clients: SocketClient[] = [];
  beforeAll(async () => {
    server = await startPermissions();
    other = await startPermissions({ test: server.test });
    mia = await server.idOf('mia');
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
  });
  afterAll(async () => {
    await other.close();
    await server.close();
  });
  const socket = (
    who: string,
    over: { at?: PermissionServer; query?: string; headers?: Record<string, string>; protocols?: string[] } = {},
  ) => {
    const { at = server, query = `?userId=${mia}`, protocols = [] } = over;
    const headers = over.headers ?? { authorization: `Bearer ${server.bearerOf(who)}` };
    const client = connect(at.url, query, { headers }, protocols);
    clients.push(client);
    return client;
  };
  const connected = async (client: SocketClient) => {
    await eventually(() => client.of('connected').length === 1);
    return client;
  };
  const queued = async (command: string): Promise<string> => (await server.ask(command)).body.requestId;
  const requestOf = (client: SocketClient, id: string) => eventually(() => client.of('permission_request').find((data) => data.id === id));

  it('says whose it is, then tells of each request within a second, on every server, to every socket of its owner', async () => {
    const all = [socket('mia'), socket('mia'), socket('mia', { at: other })];
    for (const client of all) {
      await connected(client);
      expect(client.heard[0]).toEqual({ type: 'connected', data: { userId: mia, timestamp: expect.any(Number) } });
    }
    const began = Date.now();
    const requestId = await queued('node script.js');
    for (const client of all) {
      expect(await requestOf(client, requestId)).toMatchObject({
        id: requestId,
        command: 'node script.js',
        tier: 'dangerous',
        reason: 'node has the effect unknown.',
        agentId: 'agent_123',
        actions: ['approve', 'reject'],
      });
    }
    expect(Date.now() - began).toBeLessThan(1_000);
  });

  it('sends what is pending once on each connection, and nothing that is over', async () => {
    const [open, decided] = [await queued('node open.js'), await queued('node decided.js')];
    const { position } = (await server.as('mia').post('/api/permissions', { requestId: decided, decision: 'reject' })).body;
    await server.as('mia').get(`/api/permissions?waitFor=${position}`);
    for (let times = 0; times < 2; times++) {
      const client = await connected(socket('mia', { at: other }));
      await requestOf(client, open);
      const late = await queued(`node late-${times}.js`);
      await requestOf(client, late);
      const ids = client.of('permission_request').map(({ id }) => id as string);
      expect(ids.filter((id) => id === open)).toHaveLength(1);
      expect(ids).not.toContain(decided);
      expect(new Set(ids).size).toBe(ids.length);
      client.close();
      await client.closed();
    }
  });

  it('loses none of 40 requests made while clients come and go', async () => {
    const heard = new Set<string>();
    const asked: string[] = [];
    const ask = (async () => {
      for (let index = 0; index < 40; index++) asked.push(await queued(`node busy-${index}.js`));
    })();
    let asking = true;
    void ask.finally(() => (asking = false));
    while (asking) {
      const client = await connected(socket('mia', { at: heard.size % 2 ? other : server }));
      const before = asked.length;
      await eventually(() => asked.length > before + 4 || !asking);
      for (const { id } of client.of('permission_request')) heard.add(id as string);
      client.close();
    }
    await ask;
    const last = await connected(socket('mia'));
    await eventually(() => {
      for (const { id } of last.of('permission_request')) heard.add(id as string);
      return asked.every((id) => heard.has(id));
    });
  });

  it('takes a decision like the route does, and acknowledges it', async () => {
    const client = await connected(socket('mia'));
    const requestId = await queued('node decide.js');
    const { presentedDigest } = await requestOf(client, requestId);
    client.send({ type: 'decision', data: { requestId, decision: 'approve', presentedDigest: 'c'.repeat(64) } });
    expect(await eventually(() => client.of('error')[0])).toMatchObject({ code: 'permission/changed', requestId });
    client.send({ type: 'decision', data: { requestId, decision: 'approve', feedback: 'Fine.', presentedDigest } });
    const [ack] = await eventually(() => client.of('decision_ack').length === 1 && client.of('decision_ack'));
    expect(ack).toEqual({ requestId, decision: 'approve', timestamp: expect.any(Number) });
    expect((await other.ask('node decide.js', { requestId })).body).toMatchObject({ allow: true, feedback: 'Fine.' });

    client.send({ type: 'decision', data: { requestId, decision: 'reject' } });
    const [, error] = await eventually(() => client.of('error').length === 2 && client.of('error'));
    expect(error).toMatchObject({ code: 'permission/decided', requestId, message: expect.stringContaining('approved this') });
  });

  it('answers every bad message with an error, and goes on', async () => {
    const client = await connected(socket('mia'));
    const bad = [
      '{',
      '[]',
      '7',
      'null',
      '{"type":"x"}',
      '{"type":"decision"}',
      '{"type":"decision","data":{"requestId":"a","decision":"maybe"}}',
      '{"type":"ping","type":"ping"}',
      '{"type":"decision","data":{"requestId":"\\u0000","decision":"approve"}}',
    ];
    for (const bytes of bad) client.raw(bytes);
    client.raw(Buffer.from([1, 2, 3]));
    client.raw(Buffer.from('{"type":"ping"}'));
    client.send({ type: 'ping' });
    await eventually(() => client.of('pong').length === 1);
    expect(client.of('pong')).toEqual([{ timestamp: expect.any(Number) }]);
    expect(client.of('error')).toHaveLength(bad.length + 2);
    for (const error of client.of('error')) expect(error).toEqual({ message: expect.stringMatching(/.{8,}/) });
  });

  it('closes on a message that is too large, and on a flood', async () => {
    const large = await connected(socket('mia'));
    large.raw('x'.repeat(300_000));
    expect((await large.closed()).code).toBe(1009);
    const flood = await connected(socket('mia'));
    for (let index = 0; index < 500; index++)
      flood.send({ type: 'decision', data: { requestId: 'hook_1_aaaaaaaaa', decision: 'approve' } });
    expect((await flood.closed()).code).toBe(1008);
  });

  it.each([
    ['without a userId', () => socket('mia', { query: '' }), 4001],
    ['with an empty userId', () => socket('mia', { query: '?userId=' }), 4001],
    ['without a credential', () => socket('mia', { headers: {} }), 4401],
    ['with a credential that is none', () => socket('mia', { headers: { authorization: 'Bearer wbk_none' } }), 4401],
    [
      'with a ticket that is none',
      () => socket('mia', { headers: {}, protocols: ['workbench.permissions', 'workbench.ticket.abc'] }),
      4401,
    ],
    ['for another user', () => socket('ian'), 4003],
    ['for an agent', () => socket('eve'), 4003],
  ])('closes %s', async (_, open, code) => {
    const client = open();
    expect((await client.closed()).code).toBe(code);
    expect(client.heard).toEqual([]);
  });
  it('ends with whoever has no credential and answers the close with what is no frame, and nothing else does', async () => {
    const { hostname, port } = new URL(server.url);
    const stranger = connectSocket(Number(port), hostname, () =>
      stranger.write(
        [
          `GET /ws/permissions?userId=${mia} HTTP/1.1\r\nhost: ${hostname}\r\nconnection: upgrade\r\nupgrade: websocket`,
          'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
        ].join('\r\n'),
      ),
    );
    let answered = '';
    const ended = new Promise((resolve) => stranger.once('close', resolve));
    stranger.on('data', (chunk: Buffer) => (answered += chunk.toString('latin1')));
    stranger.on('error', () => undefined);
    await eventually(() => answered.includes('101 Switching Protocols'));
    stranger.write(Buffer.alloc(16, 0xff));
    await ended;
    await connected(socket('mia'));
  });
  it('closes for an agent under its own id', async () => {
    const client = socket('eve', { query: `?userId=${await server.idOf('eve')}` });
    expect((await client.closed()).code).toBe(4003);
  });

  it('is not opened from another site, nor at another path', async () => {
    const authorization = `Bearer ${server.bearerOf('mia')}`;
    expect(await socket('mia', { headers: { authorization, origin: 'https://evil.example' } }).refused()).toBe(403);
    expect(await socket('mia', { query: 'x' }).refused()).toBe(404);
    await connected(socket('mia', { headers: { authorization, origin: server.url } }));
  });

  it('is opened by the session of the console, from its own site only', async () => {
    const started = await new Client(server.url, undefined).post('/api/session', { credential: server.bearerOf('mia') });
    const cookie = started.headers.get('set-cookie')!.split(';')[0]!;
    await connected(socket('mia', { headers: { cookie, origin: server.url } }));
    expect((await socket('mia', { headers: { cookie } }).closed()).code).toBe(4401);
    expect(await socket('mia', { headers: { cookie, origin: 'http://other.example' } }).refused()).toBe(403);
  });

  it('is opened by a ticket, once, on any server, and never shows it again', async () => {
    const { status, body } = await server.as('mia').post('/api/ws-tickets');
    expect({ status, body }).toEqual({
      status: 201,
      body: { ticket: expect.stringMatching(/^[\w-]{43}$/), expiresAt: expect.any(String) },
    });
    const protocols = ['workbench.permissions', `workbench.ticket.${body.ticket}`];
    const client = await connected(socket('mia', { at: other, headers: {}, protocols }));
    expect(client.protocol()).toBe('workbench.permissions');
    expect((await socket('mia', { headers: {}, protocols }).closed()).code).toBe(4401);
    const foreign = (await server.as('ian').post('/api/ws-tickets')).body.ticket;
    expect((await socket('mia', { headers: {}, protocols: ['workbench.permissions', `workbench.ticket.${foreign}`] }).closed()).code).toBe(
      4003,
    );
    expect((await server.as('eve').post('/api/ws-tickets')).status).toBe(403);
  });
  it('is opened by one of 20 who hold the same ticket', async () => {
    const { ticket } = (await server.as('mia').post('/api/ws-tickets')).body;
    const protocols = ['workbench.permissions', `workbench.ticket.${ticket}`];
    const all = Array.from({ length: 20 }, (_, index) => socket('mia', { at: index % 2 ? other : server, headers: {}, protocols }));
    await eventually(() => all.every((client) => client.isClosed() || client.of('connected').length === 1));
    const open = all.map((client) => !client.isClosed());
    expect(open.filter(Boolean)).toHaveLength(1);
  });

  it('tells nobody of another’s request, and takes no decision on it', async () => {
    const ian = await connected(socket('ian', { query: `?userId=${await server.idOf('ian')}` }));
    const own = await connected(socket('mia'));
    const requestId = await queued('node secret.js');
    await requestOf(own, requestId);
    ian.send({ type: 'decision', data: { requestId, decision: 'approve' } });
    const [error] = await eventually(() => ian.of('error').length === 1 && ian.of('error'));
    expect(error).toMatchObject({ code: 'permission/not-found' });
    expect(ian.of('permission_request')).toEqual([]);
    expect(ian.of('decision_ack')).toEqual([]);
    expect(await server.events(requestId)).toHaveLength(1);
  });

  it('closes within 2 s when its credential is revoked, on every server, and decides nothing after that', async () => {
    const me = (await server.as('mia').get('/api/me')).body;
    const issued = await server
      .as('otto')
      .post('/api/credentials', { principalId: me.id, roles: ['member'], workspaceIds: [me.workspaces[0].id] });
    expect(issued.status).toBe(201);
    const headers = { authorization: `Bearer ${issued.body.credential}` };
    const doomed = [await connected(socket('mia', { headers })), await connected(socket('mia', { at: other, headers }))];
    const kept = await connected(socket('mia'));
    const revokedAt = Date.now();
    expect((await server.as('otto').delete(`/api/credentials/${issued.body.id}`)).status).toBe(200);
    const requestId = await queued('node revoked.js');
    doomed[0]!.send({ type: 'decision', data: { requestId, decision: 'approve' } });
    for (const client of doomed) expect(await client.closed(2_000)).toEqual({ code: 4401, reason: 'auth/revoked' });
    expect(Date.now() - revokedAt).toBeLessThan(2_000);
    expect(await server.events(requestId)).toHaveLength(1);
    await requestOf(kept, requestId);
  });
});

describe('A socket', () => {
  it('hears heartbeats, and is closed when its server stops', async () => {
    const server = await startPermissions({ settings: new PermissionSettings({ heartbeatMs: 100 }) });
    const client = connect(server.url, `?userId=${await server.idOf('mia')}`, {
      headers: { authorization: `Bearer ${server.bearerOf('mia')}` },
    });
    try {
      await eventually(() => client.of('heartbeat').length >= 3);
      expect(client.of('heartbeat')[0]).toEqual({ timestamp: expect.any(Number) });
    } finally {
      await server.close();
    }
    expect((await client.closed()).code).toBe(1001);
  });
  it('of a client that is gone without a word is cut off', async () => {
    const server = await startPermissions({ settings: new PermissionSettings({ heartbeatMs: 100 }) });
    try {
      const client = connect(server.url, `?userId=${await server.idOf('mia')}`, {
        headers: { authorization: `Bearer ${server.bearerOf('mia')}` },
        autoPong: false,
      });
      expect((await client.closed()).code).toBe(1006);
    } finally {
      await server.close();
    }
  });
});
