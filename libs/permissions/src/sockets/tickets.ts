import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sha256, type Principal } from '#libs/kernel';
import { answerUnavailable, Clock, Database } from '#libs/postgres';

const SECONDS = 30;

/** One-time tickets for sockets: a browser can send no header there, and a secret in a URL ends up in logs. */
@Injectable()
export class Tickets {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Good for one socket of this credential, for 30 seconds, on any server. */
  async issue({ tenantId, credentialId }: Principal): Promise<Readonly<{ ticket: string; expiresAt: string }>> {
    const ticket = randomBytes(32).toString('base64url');
    const expiresAt = new Date(Date.parse(this.clock.now()) + SECONDS * 1000).toISOString();
    await answerUnavailable(() =>
      this.database.projector.query(
        `with gone as (delete from workbench.ws_tickets where expires_at < clock_timestamp() - interval '1 minute')
         insert into workbench.ws_tickets (ticket_sha256, tenant_id, credential_id, expires_at) values ($1, $2, $3, $4)`,
        [sha256(ticket), tenantId, credentialId, expiresAt],
      ),
    );
    return { ticket, expiresAt };
  }

  /** The credential that a ticket is for, once; undefined for one that is unknown, used or expired. */
  async use(ticket: string): Promise<string | undefined> {
    const { rows } = await this.database.projector.query<{ credential_id: string; live: boolean }>(
      'delete from workbench.ws_tickets where ticket_sha256 = $1 returning credential_id, expires_at > clock_timestamp() as live',
      [sha256(ticket)],
    );
    return rows[0]?.live ? rows[0].credential_id : undefined;
  }
}
