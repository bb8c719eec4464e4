import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Grant, type Permission } from '../src/api.js';
import { ago, EVE, PLATFORM } from './fixture-data.js';

const within = (minutes: number): number => Date.now() + minutes * 60_000;

const permission = (n: number, over: Partial<Permission> & { command: string }): Permission => ({
  id: `hook_171192960000${n}_a1b2c3d4e`,
  agentId: 'agent_123',
  agent: EVE,
  workspaceId: PLATFORM.id,
  toolName: 'bash',
  toolInput: { command: over.command },
  span: { start: 0, end: over.command.length },
  tier: 'dangerous',
  ladder: 2,
  reason: 'It is not known what this does.',
  effects: ['unknown'],
  segments: [],
  policies: ['ask-owner-when-dangerous'],
  timestamp: Date.now() - (20 - n) * 60_000,
  expiresAt: within(14),
  status: 'pending',
  actions: ['approve', 'reject', 'approve_always'],
  presentedDigest: String(n).repeat(64),
  ...over,
});

const HIDDEN = 'cd build && git push --force origin main\u202E # \u200Bsafe';
export const push = (): Permission => {
  const start = HIDDEN.indexOf('--force');
  return permission(1, {
    command: HIDDEN,
    span: { start, end: start + '--force'.length },
    reason: 'git push --force overwrites what others have pushed.',
    effects: ['vcs.remote'],
    cwd: '/srv/site',
    sessionId: 'session-7',
    segments: [
      { text: 'cd build', tier: 'safe', ladder: 0, effects: ['read'], reason: 'cd only reads.' },
      {
        text: 'git push --force origin main',
        tier: 'dangerous',
        ladder: 2,
        effects: ['vcs.remote'],
        reason: 'git push --force overwrites what others have pushed.',
      },
    ],
  });
};
export const removal = (): Permission =>
  permission(2, {
    command: 'rm -rf /var/lib/app',
    span: { start: 3, end: 6 },
    tier: 'destructive',
    ladder: 4,
    reason: 'rm -rf destroys files beyond the work at hand.',
    effects: ['destroy.fs'],
    ungrantable: 'What cannot be undone is asked for each time.',
    actions: ['approve', 'reject'],
  });
export const write = (): Permission =>
  permission(3, {
    command: '/srv/site/.env',
    toolName: 'write',
    toolInput: { file_path: '/srv/site/.env', content: 'TOKEN=\u200Babc\nMODE=live' },
    reason: 'This file holds secrets.',
    effects: ['write.sensitive'],
    ladder: 2,
    ungrantable: 'Sensitive files are asked for each time.',
    actions: ['approve', 'reject'],
  });

const SCOPE = {
  tool: 'bash',
  prefix: ['git', 'push'],
  tier: 'dangerous',
  effects: ['vcs.remote'],
  constraints: { hosts: ['git.example'] },
};
export const grant = (over: Partial<Grant> = {}): Grant => ({
  id: '0192f5c4-0000-7000-8000-000000000001',
  ...SCOPE,
  status: 'active',
  agent: { principalId: EVE.id, agentId: 'agent_123' },
  from: push().id,
  createdAt: ago(90),
  expiresAt: ago(-60 * 24 * 30),
  uses: 4,
  maxUses: 1000,
  lastUsedAt: ago(12),
  endedAt: null,
  ...over,
});

type Send = (response: ServerResponse, status: number, body: unknown) => void;
type Given = { permissions?: Permission[]; grants?: Grant[] };

/** Requests, grants and enablements, as the real server answers; steered by the test. */
export const permissionFixture = ({ permissions = [], grants = [] }: Given, push: (type: string, data: unknown) => void, send: Send) => {
  const byId = new Map(permissions.map((one) => [one.id, one]));
  const grantById = new Map(grants.map((one) => [one.id, one]));
  const enabled = new Map<string, string>();
  const refuse = (response: ServerResponse, status: number, code: string, detail: string): void =>
    send(response, status, { code, detail, status });

  const close = (id: string, over: Partial<Permission>): void => {
    const closed: Permission = { ...byId.get(id)!, actions: [], ...over };
    byId.set(id, closed);
    push('permission_closed', { requestId: id, status: closed.status, permission: closed });
  };

  const decide = (response: ServerResponse, body: Record<string, unknown>): void => {
    const id = String(body.requestId);
    const { decision, feedback, modifiedInput } = body as { decision: string; feedback?: string; modifiedInput?: string };
    const request = byId.get(id);
    if (!request) return refuse(response, 404, 'permission/not-found', 'There is no such pending request here.');
    if (request.status !== 'pending') return refuse(response, 404, 'permission/decided', 'Ann approved this at 2026-01-01T10:00:00.000Z.');
    if (body.presentedDigest !== request.presentedDigest)
      return refuse(response, 409, 'permission/changed', 'It is not what you were shown any more. Read it again.');
    const answer = { requestId: id, decision, tier: request.tier, reason: request.reason, remembered: false, grants: [], position: '1' };
    if (modifiedInput?.startsWith('sudo')) {
      const amended: Permission = {
        ...request,
        command: modifiedInput,
        toolInput: { command: modifiedInput },
        originalInput: request.toolInput,
        span: { start: 0, end: 4 },
        tier: 'destructive',
        ladder: 4,
        reason: 'sudo changes privileges.',
        segments: [],
        actions: ['approve', 'reject'],
        presentedDigest: 'f'.repeat(64),
      };
      byId.set(id, amended);
      push('permission', { requestId: id, status: 'pending', permission: amended });
      return send(response, 200, { ...answer, success: false, tier: 'destructive', reason: 'sudo changes privileges.' });
    }
    if (decision === 'approve_always') {
      grantById.set(grant().id, grant({ uses: 0, lastUsedAt: null }));
      push('grant', { grantId: grant().id, status: 'active', uses: 0 });
    }
    close(id, {
      status: decision === 'reject' ? 'rejected' : 'approved',
      ...(feedback !== undefined && { feedback }),
      ...(modifiedInput !== undefined && { command: modifiedInput, originalInput: request.toolInput }),
    });
    send(response, 200, { ...answer, success: true, remembered: decision === 'approve_always' });
  };

  const preview = (response: ServerResponse, id: string): void => {
    const request = byId.get(id)!;
    const denied = [{ ...request, id: 'hook_1_denied', command: 'git push --force origin release', status: 'rejected' }];
    const coveredCalls = [...denied, { ...request, id: 'hook_2_fine', command: 'git push origin main', status: 'approved' }];
    const counts = { days: 30, calls: 40, covered: 2, denied: 1 };
    send(response, 200, { requestId: id, grantable: true, scopes: [SCOPE], ...counts, coveredCalls, deniedCalls: denied });
  };

  const enablement = (response: ServerResponse, method: string, effect: string, body: Record<string, unknown>): void => {
    if (method === 'PUT') enabled.set(effect, new Date(Date.now() + Number(body.expiresInSeconds) * 1000).toISOString());
    else enabled.delete(effect);
    send(response, 200, { effect, enabled: enabled.has(effect), expiresAt: enabled.get(effect) ?? null });
  };

  return {
    /** Whether the request was one of these routes; then it is answered. */
    handle(request: IncomingMessage, response: ServerResponse, pathname: string, body: Record<string, unknown>): boolean {
      const method = request.method ?? 'GET';
      const [, area, rest] = /^\/api\/(permissions|grants)(?:\/(.+))?$/.exec(pathname) ?? [];
      if (!area) return false;
      const [, effect] = /^enablements\/(.+)$/.exec(rest ?? '') ?? [];
      const effects = ['write.device', 'privilege', 'destroy.fs', 'destroy.vcs', 'destroy.db', 'destroy.infra', 'destroy.system'];
      if (area === 'permissions' && effect) enablement(response, method, effect, body);
      else if (area === 'permissions' && rest === 'enablements')
        send(response, 200, {
          enablements: effects.map((one) => ({ effect: one, enabled: enabled.has(one), expiresAt: enabled.get(one) ?? null })),
        });
      else if (area === 'permissions' && method === 'POST') decide(response, body);
      else if (area === 'permissions' && rest) {
        const found = byId.get(rest);
        if (found) send(response, 200, found);
        else refuse(response, 404, 'permission/not-found', 'There is no such request.');
      } else if (area === 'permissions') {
        const pending = [...byId.values()].filter(({ status, expiresAt }) => status === 'pending' && expiresAt > Date.now());
        send(response, 200, { pending });
      } else if (rest === 'preview') preview(response, String(body.requestId));
      else if (rest) {
        grantById.set(rest, { ...grantById.get(rest)!, status: 'revoked', endedAt: new Date().toISOString() });
        push('grant', { grantId: rest, status: 'revoked', uses: 0 });
        send(response, 200, { id: rest, status: 'revoked' });
      } else send(response, 200, { items: [...grantById.values()], next: null });
      return true;
    },
    ask(one: Permission): void {
      byId.set(one.id, one);
      push('permission', { requestId: one.id, status: one.status, permission: one });
    },
    close,
    /** Changes what the server knows without the feed saying so. */
    change: (one: Permission): void => void byId.set(one.id, one),
  };
};
