import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req, Res, type ModuleMetadata, type Type } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse } from '@nestjs/swagger';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, refusal } from '#libs/kernel';
import {
  ApiEventStream,
  Bytes,
  Digits,
  EventStreams,
  Flag,
  Id,
  IdParam,
  IfMatch,
  JsonObject,
  ListOf,
  Nested,
  OneOf,
  Page,
  Problems,
  Sha256,
  Sha256Param,
  TakesBytes,
  Text,
  Time,
  Whole,
  assertMatch,
  createHttpApp,
  etag,
  id,
  lastEventIdOf,
  pageOf,
  readCursor,
  type EdgeOptions,
  type Expected,
  type SseStream,
} from '#libs/http';

// A small application that has one of everything the HTTP edge offers and no rule of its own.

export class PartDto {
  @Text({ max: 20 }) name!: string;
  @Whole({ min: 0, max: 100 }) count!: number;
}

export class OwnerDto {
  @Id() id!: string;
  @ListOf(() => PartDto, { max: 3, optional: true }) spares?: PartDto[];
}

export class ThingDto {
  @Text({ max: 50 }) title!: string;
  @Text({ min: 0, max: 100, optional: true, nullable: true }) note?: string | null;
  @OneOf(['red', 'green']) colour!: 'red' | 'green';
  @ListOf('text', { max: 3, unique: true, item: { max: 10 } }) tags!: string[];
  @ListOf('argv', { max: 2, optional: true, item: { max: 10 } }) commands?: string[][];
  @ListOf(() => PartDto, { max: 5 }) parts!: PartDto[];
  @Nested(() => OwnerDto, { optional: true }) owner?: OwnerDto;
  @Digits({ optional: true }) amount?: string;
  @Sha256({ optional: true }) digest?: string;
  @Time({ optional: true }) at?: string;
  @Flag({ optional: true }) urgent?: boolean;
  @JsonObject({ optional: true, maxBytes: 1_000 }) extra?: Record<string, unknown>;
}

export class ThingsPage extends Page {
  @OneOf(['red', 'green'], { optional: true }) colour?: string;
  @ListOf('id', { max: 3, optional: true }) owners?: string[];
  @Flag({ optional: true }) urgent?: boolean;
}

/** What the streams of this application wait for: the test writes to them. */
export const openStreams: SseStream[] = [];
/** Requests that wait until the test lets them go. */
export const held: (() => void)[] = [];

@Controller('api')
export class ThingsController {
  constructor(private readonly streams: EventStreams) {}

  @Post('things')
  @ApiCreatedResponse({ type: ThingDto })
  create(@Body() body: ThingDto) {
    return body;
  }

  @Get('things')
  list(@Query() page: ThingsPage) {
    const after = readCursor<string>(page.cursor, id());
    const rows = Array.from({ length: page.limit + 1 }, (_, index) => ({ index, after: after ?? null }));
    return pageOf(rows, page.limit, () => '0196b5a0-0000-7000-8000-000000000001');
  }

  @Get('things/:id')
  get(@Param('id', IdParam) id: string, @Res({ passthrough: true }) reply: FastifyReply) {
    void reply.header('etag', etag(3n));
    return { id };
  }

  @Put('things/:id')
  change(@Param('id', IdParam) id: string, @Body() body: PartDto, @IfMatch() expected: Expected) {
    assertMatch(expected, 3n);
    return { id, ...body };
  }

  @Delete('things/:id')
  @HttpCode(204)
  remove(@Param('id', IdParam) _id: string): void {}

  @Post('things/:id/approve')
  @Problems('precondition/failed')
  @ApiBody({ required: false, schema: { type: 'object' } })
  approve(@Param('id', IdParam) id: string): never {
    throw new DomainError(
      refusal('conflict', 'thing/decided', 'Ann has decided.', { by: 'Ann', revision: 9007199254740993n, status: 'approved', auditId: id }),
    );
  }

  @Put('bytes/:sha256')
  @TakesBytes(1_000)
  bytes(@Param('sha256', Sha256Param) _sha256: string, @Bytes() bytes: Buffer) {
    return { size: bytes.length };
  }

  @Get('fail/:how')
  fail(@Param('how') how: string): never {
    throw (FAULTS[how] ?? FAULTS['unknown']!)();
  }

  @Post('hold')
  @HttpCode(200)
  async hold() {
    await new Promise<void>((release) => held.push(release));
    return { held: true };
  }

  @Get('stream')
  @ApiEventStream('What the test writes.')
  stream(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const from = lastEventIdOf(request);
    const stream = this.streams.open(reply, request.headers.authorization ?? 'nobody');
    stream.send('ready', { from: from ?? null });
    openStreams.push(stream);
  }
}

const FAULTS: Readonly<Record<string, () => Error>> = {
  unknown: () => new TypeError('secret is not a function'),
  refused: () => Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' }),
  pool: () => new Error('timeout exceeded when trying to connect'),
  stopping: () => Object.assign(new Error('terminating connection'), { code: '57P01' }),
  wait: () => new DomainError(refusal('too_many', 'thing/too-many', 'Wait.', { retryAfter: 7 })),
  login: () => new DomainError(refusal('unauthenticated', 'credential/expired', 'Get a new one.')),
};

export const startSample = async (
  options: Partial<EdgeOptions> = {},
  modules: NonNullable<ModuleMetadata['imports']> = [],
): Promise<Readonly<{ app: NestFastifyApplication; url: string }>> => {
  class Sample {}
  const sample = { module: Sample as Type, controllers: [ThingsController] };
  const app = await createHttpApp([sample, ...modules], { requestsPerMinute: 0, ...options }, false);
  await app.listen(0, '127.0.0.1');
  return { app, url: await app.getUrl() };
};
