import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { WebSocketServer, type WebSocket } from 'ws';
import { Drain, STREAM_LIMITS } from '#libs/http';
import { CredentialWatch, IdentityDirectory, judge } from '#libs/identity';
import { digestOf, DomainError, newId, refusal, type CommandMeta, type Principal } from '#libs/kernel';
import { Clock, Database, tenantScope } from '#libs/postgres';
import { Feed, isVisibleTo } from '#libs/projections';
import { PermissionSettings } from '../permission-settings.js';
import { PermissionsQuery } from '../read-models/permissions.js';
import { entryOf, type PermissionEntry } from '../requests/entry.js';
import { OwnerDecisions, type OwnerDecision } from '../requests/owner-decisions.js';
import { chosenProtocol, Handshake, PATH, pathOf, refuseUpgrade } from './handshake.js';
import { PermissionSocket } from './permission-socket.js';

const MOST_PENDING = 500;
const MOST_HANDSHAKES = 200;
const MAX_MESSAGE_BYTES = 262_144;
/** After the close, how long a client may take to answer it. */
const END_MS = 1_000;

/** All sockets of this process at `/ws/permissions`. What they get comes through the feed, so it does not matter which server a request came to. */
@Injectable()
export class PermissionSockets implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('PermissionSockets');
  private readonly open = new Set<PermissionSocket>();
  private readonly wss = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, handleProtocols: chosenProtocol });
  private server: Server | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private handshakes = 0;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly handshake: Handshake,
    private readonly decisions: OwnerDecisions,
    private readonly directory: IdentityDirectory,
    private readonly credentials: CredentialWatch,
    private readonly query: PermissionsQuery,
    private readonly database: Database,
    private readonly feed: Feed,
    private readonly clock: Clock,
    private readonly drain: Drain,
    private readonly settings: PermissionSettings,
  ) {}

  onApplicationBootstrap(): void {
    this.server = this.host.httpAdapter.getHttpServer() as Server;
    this.server.on('upgrade', this.upgrade);
    this.heartbeat = setInterval(() => this.open.forEach((socket) => socket.beat()), this.settings.heartbeatMs).unref();
  }

  /** Every client is told to go; one that does not is cut off. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.heartbeat);
    this.server?.off('upgrade', this.upgrade);
    for (const socket of this.open) socket.close(1001, 'This server is being stopped. Connect again.');
    const late = setTimeout(() => this.open.forEach((socket) => socket.terminate()), END_MS);
    await Promise.all([...this.wss.clients].map((client) => new Promise((resolve) => client.once('close', resolve))));
    clearTimeout(late);
  }

  private readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => socket.destroy());
    if (pathOf(request.url) !== PATH) return refuseUpgrade(socket, 404);
    if (this.drain.stopping || this.handshakes >= MOST_HANDSHAKES) return refuseUpgrade(socket, 503);
    this.handshakes++;
    void this.admit(request, socket, head)
      .catch((error: unknown) => {
        this.logger.warn(`A socket was refused: ${error instanceof Error ? error.message : String(error)}`);
        refuseUpgrade(socket, 503);
      })
      .finally(() => this.handshakes--);
  };

  private async admit(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const admission = await this.handshake.admit(request);
    if ('status' in admission) return refuseUpgrade(socket, admission.status);
    this.wss.handleUpgrade(request, socket, head, (client) => {
      // Whoever is refused is sent a close, and may answer with what is no frame: unheard, that error would end the process.
      client.on('error', () => client.terminate());
      if ('code' in admission) return client.close(admission.code, admission.reason);
      const own = [...this.open].filter(({ principal }) => principal.credentialId === admission.principal.credentialId).length;
      if (own >= STREAM_LIMITS.perCredential || this.open.size >= STREAM_LIMITS.overall) return client.close(1013, 'Too many sockets.');
      this.begin(client, admission.principal);
    });
  }

  private begin(client: WebSocket, principal: Principal): void {
    const socket = new PermissionSocket(client, principal, {
      now: () => this.now(),
      decide: (decision) => this.decide(principal, decision),
    });
    this.open.add(socket);
    const leave = this.credentials.watch(principal.credentialId, ({ code }) => socket.close(4401, code));
    client.once('close', () => {
      this.open.delete(socket);
      leave();
    });
    socket.send('connected', { userId: principal.id, timestamp: this.now() });
    this.follow(socket).catch((error: unknown) => {
      this.logger.warn(`A socket ends: ${error instanceof Error ? error.message : String(error)}`);
      socket.close(1011, 'Requests cannot be read right now. Connect again.');
    });
  }

  /** All that is pending, from one moment, and then all that was announced after that moment: nothing twice, nothing missed. */
  private async follow(socket: PermissionSocket): Promise<void> {
    const { principal, signal } = socket;
    const { head, rows } = await tenantScope(
      this.database,
      principal.tenantId,
      async (manager) => ({
        head: await this.feed.head(manager),
        rows: await this.query.pendingWithin(manager, principal, { limit: MOST_PENDING }),
      }),
      { isolation: 'REPEATABLE READ' },
    );
    for (const row of rows) socket.request(entryOf(row));
    for await (const items of this.feed.follow(head, { signal, tenantId: principal.tenantId }))
      for (const item of items)
        if (item.kind === 'permission' && isVisibleTo(item, principal)) socket.request(item.data['permission'] as PermissionEntry);
    if (!signal.aborted) socket.close(1001, 'This server is being stopped. Connect again.');
  }

  /** The same command as by HTTP, by whoever this credential is now. */
  private async decide({ credentialId }: Principal, decision: OwnerDecision): Promise<void> {
    const { principal: actor, active, why } = await this.directory.principalOf(credentialId);
    if (!active) throw new DomainError(why!);
    const judgement = judge(actor, 'permission.decide');
    if (!judgement.allowed) throw new DomainError(refusal('forbidden', 'auth/role', judgement.because));
    const commandId = newId();
    const meta: CommandMeta = {
      tenantId: actor.tenantId,
      workspaceId: actor.workspaceIds[0]!,
      actor,
      at: this.clock.now(),
      commandId,
      requestDigest: digestOf({ socket: decision }),
      correlationId: commandId,
      causationId: commandId,
      policyVersion: judgement.policyVersion,
      policies: judgement.policies,
    };
    const { success, reason } = await this.decisions.decide(meta, decision);
    if (!success)
      throw new DomainError(
        refusal('conflict', 'permission/asked-again', `The modified input is judged worse, so you are asked again: ${reason}`),
      );
  }

  private now(): number {
    return Date.parse(this.clock.now());
  }
}
