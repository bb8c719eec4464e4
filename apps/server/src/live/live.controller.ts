import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiEventStream, EventStreams, lastEventIdOf, type SseStream } from '#libs/http';
import { Actor, Allow } from '#libs/identity';
import type { Principal } from '#libs/kernel';
import { Feed, isVisibleTo } from '#libs/projections';
import { deltaOf } from './delta.js';
import { Snapshots } from './snapshots.js';

/** One live feed of what the caller may see: a snapshot, `ready`, then each change, or what was missed since `Last-Event-ID`. */
@ApiTags('live')
@Controller('api/events')
export class LiveController {
  constructor(
    private readonly feed: Feed,
    private readonly snapshots: Snapshots,
    private readonly streams: EventStreams,
  ) {}

  @Get('stream')
  @Allow('feed.read')
  @ApiOperation({ summary: 'Everything that you may see, as it happens' })
  @ApiEventStream(
    '`snapshot` (or `resync_required` where Last-Event-ID is too old) with at most 500 cards and 500 tasks, and in `next` the cursors of the lists where there are more; `ready`; then `card`, `card_closed`, `record`, `task`, `receipt`, `permission`, `permission_closed`, `grant`.',
  )
  async stream(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Actor() actor: Principal): Promise<void> {
    const asked = lastEventIdOf(request);
    const resumed = asked !== undefined && (await this.feed.canResume(asked)) ? asked : undefined;
    const fresh = resumed === undefined ? await this.snapshots.take(actor) : undefined;

    const stream = this.streams.open(reply, actor.credentialId);
    if (fresh) stream.send(asked === undefined ? 'snapshot' : 'resync_required', fresh.snapshot, fresh.head);
    stream.send('ready', {});
    void this.follow(stream, resumed ?? fresh!.head, actor).catch(() =>
      stream.fail({ code: 'server/unavailable', detail: 'The feed cannot be read right now. Connect again.' }),
    );
  }

  private async follow(stream: SseStream, from: string, actor: Principal): Promise<void> {
    for await (const items of this.feed.follow(from, { signal: stream.signal, tenantId: actor.tenantId })) {
      for (const item of items) {
        if (!isVisibleTo(item, actor)) continue;
        stream.send(item.kind, deltaOf(item, actor), item.id);
        await stream.drained();
      }
    }
  }
}
