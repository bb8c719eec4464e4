import { Controller, Get, Headers, Param, Query, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { DomainError, refusal, type Principal } from '#libs/kernel';
import { ApiPage, id, IdParam, Page, pageOf, Problems, readCursor, shape, time } from '#libs/http';
import { Actor, Allow } from '#libs/identity';
import { ReceiptAnswer, ReceiptItem, ReceiptKeyAnswer } from './answers.js';
import { envelopeText, statementIn } from './dsse.js';
import { ReceiptKey } from './receipt-key.js';
import { ReceiptsQuery, type ReceiptRow } from './read-models/receipts.js';

const DSSE = 'application/vnd.dsse+json';

/** Signed statements of finished chains, for whoever asked for the work and for operators. */
@ApiTags('receipts')
@Controller('api/receipts')
export class ReceiptsController {
  constructor(
    private readonly query: ReceiptsQuery,
    private readonly key: ReceiptKey,
  ) {}

  @Get()
  @Allow('receipt.read')
  @ApiOperation({ summary: 'Receipts of your own requests; all of your workspaces for operators', description: 'Newest first.' })
  @ApiPage(ReceiptItem)
  async list(@Query() { cursor, limit }: Page, @Actor() viewer: Principal) {
    const after = readCursor<{ issuedAt: string; receiptId: string }>(cursor, shape({ issuedAt: time(), receiptId: id() }));
    const rows = await this.query.list(viewer, { limit: limit + 1, ...(after && { after }) });
    return pageOf(rows.map(summary), limit, (index) => ({ issuedAt: rows[index]!.issuedAt, receiptId: rows[index]!.receiptId }));
  }

  @Get('key')
  @Allow('receipt.read')
  @ApiOperation({
    summary: 'The public key that receipts are signed with',
    description:
      'Ed25519, as PEM; `keyId` is the SHA-256 of its SubjectPublicKeyInfo. Compare it by a way of your own before you trust it.',
  })
  @ApiOkResponse({ type: ReceiptKeyAnswer })
  async publicKey() {
    const { publicKey, keyId } = await this.key.get();
    return { keyId, algorithm: 'Ed25519', pem: publicKey.export({ type: 'spki', format: 'pem' }) };
  }

  @Get(':id')
  @Allow('receipt.read')
  @ApiOperation({
    summary: 'A receipt',
    description: `As JSON with its statement, or with \`Accept: ${DSSE}\` the very bytes that verify-receipt judges.`,
  })
  @ApiExtraModels(ReceiptAnswer)
  @ApiOkResponse({
    content: { 'application/json': { schema: { $ref: getSchemaPath(ReceiptAnswer) } }, [DSSE]: { schema: { type: 'object' } } },
  })
  @Problems('receipt/not-found')
  async get(
    @Param('id', IdParam) receiptId: string,
    @Actor() viewer: Principal,
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const row = await this.query.find(viewer, receiptId);
    if (!row) throw new DomainError(refusal('not_found', 'receipt/not-found', 'There is no such receipt here, or it is not yours to see.'));
    void reply.header('vary', 'accept');
    if (!accept?.toLowerCase().includes(DSSE)) return { ...summary(row), statement: statementIn(row.envelope), envelope: row.envelope };
    void reply.header('content-type', DSSE);
    return envelopeText(row.envelope);
  }
}

const summary = ({
  receiptId,
  taskId,
  auditId,
  title,
  requesterId,
  repository,
  revision,
  shippedAt,
  issuedAt,
  keyId,
  statementDigest,
}: ReceiptRow) => ({
  receiptId,
  taskId,
  auditId,
  title,
  requesterId,
  repository,
  revision,
  shippedAt,
  issuedAt,
  keyId,
  statementDigest,
});
