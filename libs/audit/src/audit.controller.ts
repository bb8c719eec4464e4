import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { DomainError, refusal, type Principal } from '#libs/kernel';
import { digits, IdParam, Page, pageOf, Problems, readCursor } from '#libs/http';
import { Actor, Allow } from '#libs/identity';
import { LineagePage } from './answers.js';
import { AuditQuery } from './read-models/audit-entries.js';

/** Who did what, from the events themselves. */
@ApiTags('audit')
@Controller('api/audit')
export class AuditController {
  constructor(private readonly query: AuditQuery) {}

  @Get(':auditId')
  @Allow('audit.read')
  @ApiOperation({
    summary: 'The lineage of one intent',
    description:
      'Every event under this audit id in the order of the store: what happened, where, who did it, in whose name, and the hash of the stored event. No event data.',
  })
  @ApiOkResponse({ type: LineagePage })
  @Problems('audit/not-found')
  async lineage(@Param('auditId', IdParam) auditId: string, @Query() { cursor, limit }: Page, @Actor() viewer: Principal) {
    const after = readCursor<string>(cursor, digits());
    const rows = await this.query.lineage(viewer, auditId, { limit: limit + 1, ...(after !== undefined && { after }) });
    if (rows.length === 0 && after === undefined)
      throw new DomainError(
        refusal('not_found', 'audit/not-found', 'Nothing has happened here under this audit id. Check the id and the workspace.'),
      );
    const items = rows.map(({ eventId, position, stream, revision, type, actorId, actorKind, onBehalfOf, at, contentHash }) => ({
      eventId,
      type,
      stream,
      revision,
      position,
      actor: { id: actorId, kind: actorKind },
      ...(onBehalfOf !== null && { onBehalfOf }),
      at,
      contentHash,
    }));
    return { auditId, ...pageOf(items, limit, (index) => items[index]!.position) };
  }
}
