import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Authenticator, IdentityDirectory, judge } from '#libs/identity';
import { DomainError, type Principal } from '#libs/kernel';
import { Tickets } from './tickets.js';

export const PATH = '/ws/permissions';
export const PROTOCOL = 'workbench.permissions';
const TICKET = 'workbench.ticket.';

/** Who opens a socket; or the code and reason with which it is closed as soon as it is open; or the HTTP status that refuses it. */
export type Admission = Readonly<{ principal: Principal }> | Readonly<{ code: number; reason: string }> | Readonly<{ status: number }>;

/** Says who a socket is for: by a bearer credential, the console's session from its own site, or a one-time ticket. Never by its URL. */
@Injectable()
export class Handshake {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly directory: IdentityDirectory,
    private readonly tickets: Tickets,
  ) {}

  async admit({ url = '', headers }: IncomingMessage): Promise<Admission> {
    const { origin, host } = headers;
    if (origin !== undefined && hostOf(origin) !== host) return { status: 403 };
    const userId = userIdIn(url);
    if (userId === undefined) return { code: 4001, reason: 'userId is missing.' };
    let principal: Principal;
    try {
      const found = await this.identify(headers);
      if (found === undefined) return { code: 4401, reason: 'No valid credential.' };
      principal = found;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (!['unauthenticated', 'forbidden', 'not_found'].includes(error.refusal.kind)) throw error;
      return { code: 4401, reason: error.refusal.code };
    }
    if (principal.id !== userId) return { code: 4003, reason: 'This userId is not yours.' };
    if (!judge(principal, 'permission.decide').allowed) return { code: 4003, reason: 'Only a person decides on permissions.' };
    return { principal };
  }

  private async identify(headers: IncomingMessage['headers']): Promise<Principal | undefined> {
    const ticket = protocolsIn(headers['sec-websocket-protocol']).find((protocol) => protocol.startsWith(TICKET));
    if (ticket !== undefined) {
      const credentialId = await this.tickets.use(ticket.slice(TICKET.length));
      if (credentialId === undefined) return undefined;
      const { principal, active, why } = await this.directory.principalOf(credentialId);
      if (!active) throw new DomainError(why!);
      return principal;
    }
    const { authorization, cookie, origin } = headers;
    const { principal, via } = await this.authenticator.authenticate({
      ...(authorization !== undefined && { authorization }),
      ...(cookie !== undefined && { cookie }),
    });
    // A browser names the Origin of whoever opens a socket with our cookie.
    return via === 'cookie' && origin === undefined ? undefined : principal;
  }
}

/** The subprotocol that is agreed on: ours, never the one that carries the ticket where ours is offered as well. */
export const chosenProtocol = (offered: Set<string>): string | false => (offered.has(PROTOCOL) ? PROTOCOL : ([...offered][0] ?? false));

export const pathOf = (url = ''): string => url.split('?', 1)[0]!;

/** Ends a connection that asked for a socket with a plain HTTP answer. */
export const refuseUpgrade = (socket: Duplex, status: number): void =>
  void socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);

const userIdIn = (url: string): string | undefined => new URLSearchParams(url.slice(pathOf(url).length)).get('userId') || undefined;
const protocolsIn = (header: string | undefined): string[] => (header ?? '').split(',').map((protocol) => protocol.trim());
const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined);
