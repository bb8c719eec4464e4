import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { EventStore, readState, type Principal, type Recorded } from '#libs/kernel';
import { etag, id, IdParam, OneOf, Page, pageOf, Problems, readCursor } from '#libs/http';
import { Actor, Allow } from '#libs/identity';
import { recordKinds, type RecordKind } from './fields.js';
import { recordDecider } from './record.decider.js';
import type { RecordEvent } from './record.js';
import { RecordsQuery } from './read-models/records.js';

export class RecordsPage extends Page {
  @OneOf(recordKinds, { optional: true }) kind?: RecordKind;
}

/** Governed records, read only: every change of one was proposed and decided. */
@ApiTags('records')
@Controller('api/records')
export class RecordsController {
  constructor(
    private readonly query: RecordsQuery,
    private readonly store: EventStore,
  ) {}

  @Get()
  @Allow('record.read')
  @ApiOperation({ summary: 'Records of your workspaces' })
  async list(@Query() { kind, cursor, limit }: RecordsPage, @Actor() { tenantId, workspaceIds }: Principal) {
    const after = readCursor<string>(cursor, id());
    const rows = await this.query.list(tenantId, { workspaceIds, limit: limit + 1, ...(kind && { kind }), ...(after && { after }) });
    const items = rows.map(({ recordId, kind, title, status, fields, revision, createdAt, updatedAt }) => ({
      recordId,
      kind,
      title,
      status,
      fields,
      revision,
      createdAt,
      updatedAt,
    }));
    return pageOf(items, limit, (index) => rows[index]!.recordId);
  }

  @Get(':id')
  @Allow('record.read')
  @ApiOperation({ summary: 'A record as it is now', description: 'From its stream, never behind. The ETag is its revision.' })
  @Problems('record/not-found')
  async get(@Param('id', IdParam) recordId: string, @Actor() actor: Principal, @Res({ passthrough: true }) reply: FastifyReply) {
    const { state, revision, events } = await readState(this.store, recordDecider, recordId, actor);
    void reply.header('etag', etag(revision));
    const { revision: _, ...record } = state as Exclude<typeof state, { status: 'none' }>;
    return { recordId, ...record, revision: revision.toString(), createdAt: events[0]!.data.at, updatedAt: events.at(-1)!.data.at };
  }

  @Get(':id/history')
  @Allow('record.read')
  @ApiOperation({
    summary: 'How a record came to be as it is',
    description: 'Event by event: what changed, who asked, who approved, when, and under which audit id.',
  })
  @Problems('record/not-found')
  async history(@Param('id', IdParam) recordId: string, @Actor() actor: Principal) {
    const { events } = await readState(this.store, recordDecider, recordId, actor);
    return { items: events.map(entry), next: null };
  }
}

const entry = ({ type, data, revision, position, meta: { auditId } }: Recorded<RecordEvent>) => ({
  type,
  ...data,
  revision: revision.toString(),
  position,
  auditId,
});
