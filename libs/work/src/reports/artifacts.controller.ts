import { Controller, Get, Param, Put, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Bytes, Problems, Sha256Param, TakesBytes } from '#libs/http';
import { Actor, Allow } from '#libs/identity';
import { DomainError, refusal, type Principal } from '#libs/kernel';
import { StoredArtifact } from '../answers.js';
import { seesAllTasks, TasksQuery } from '../read-models/tasks.js';
import { Artifacts, MAX_ARTIFACT_BYTES } from './artifacts.js';

@ApiTags('artifacts')
@Controller('api/artifacts')
export class ArtifactsController {
  constructor(
    private readonly artifacts: Artifacts,
    private readonly query: TasksQuery,
  ) {}

  @Put(':sha256')
  @Allow('artifact.write')
  @ApiOkResponse({ type: StoredArtifact })
  @ApiCreatedResponse({ type: StoredArtifact })
  @TakesBytes(MAX_ARTIFACT_BYTES)
  @ApiOperation({ summary: 'Store bytes under their SHA-256', description: '201 where they are new, 200 where they are stored already.' })
  @Problems('artifact/digest-mismatch')
  async put(
    @Param('sha256', Sha256Param) sha256: string,
    @Bytes() bytes: Buffer,
    @Actor() actor: Principal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    void reply.code((await this.artifacts.put(actor, sha256, bytes)) ? 201 : 200);
    return { sha256, size: bytes.length };
  }

  @Get(':sha256')
  @Allow('artifact.read')
  @ApiOperation({
    summary: 'The bytes of an artifact',
    description:
      'Always as a download, whatever they are. Who neither executes nor operates reads what reports on their own requests name.',
  })
  @ApiProduces('application/octet-stream')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @Problems('artifact/not-found')
  async get(@Param('sha256', Sha256Param) sha256: string, @Actor() actor: Principal, @Res() reply: FastifyReply): Promise<void> {
    const bytes =
      seesAllTasks(actor) || (await this.query.namesArtifact(actor, sha256)) ? await this.artifacts.get(actor, sha256) : undefined;
    if (!bytes) throw new DomainError(refusal('not_found', 'artifact/not-found', 'No bytes with this SHA-256 are stored here.'));
    void reply
      .headers({
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="${sha256}"`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'private, max-age=31536000, immutable',
        etag: `"${sha256}"`,
      })
      .send(bytes);
  }
}
