import { ApiProperty } from '@nestjs/swagger';
import { Digits, Id, JsonObject, ListOf, Nested, OneOf, Sha256, Text, Time } from '#libs/http';

export class ReceiptItem {
  @Id() receiptId!: string;
  @Id() taskId!: string;
  @Id() auditId!: string;
  @Text({ max: 1_000, description: 'Of the work.' }) title!: string;
  @Id({ description: 'The person who asked for it.' }) requesterId!: string;
  @Text({ max: 500 }) repository!: string;
  @Text({ max: 64, description: 'The git commit that was shipped.' }) revision!: string;
  @Time() shippedAt!: string;
  @Time() issuedAt!: string;
  @Sha256({ description: 'Names the signing key: SHA-256 of its SubjectPublicKeyInfo.' }) keyId!: string;
  @Sha256({ description: 'Of the canonical JSON of the statement.' }) statementDigest!: string;
}

class SignatureItem {
  @Sha256() keyid!: string;
  @Text({ max: 200, description: 'Ed25519, base64.' }) sig!: string;
}

class EnvelopeItem {
  @Text({ max: 5_000_000, description: 'The statement’s canonical JSON, base64.' }) payload!: string;
  @OneOf(['application/vnd.in-toto+json']) payloadType!: string;
  @ListOf(() => SignatureItem, { min: 1, max: 1 }) signatures!: SignatureItem[];
}

export class ReceiptAnswer extends ReceiptItem {
  @JsonObject({ description: 'An in-toto Statement v1: the chain step by step, and what it does not prove.' }) statement!: object;
  @Nested(() => EnvelopeItem, { description: 'DSSE.' }) envelope!: EnvelopeItem;
}

export class ReceiptKeyAnswer {
  @Sha256() keyId!: string;
  @OneOf(['Ed25519']) algorithm!: string;
  @Text({ max: 1_000, description: 'SubjectPublicKeyInfo as PEM.' }) pem!: string;
}

class AuthorItem {
  @Text({ max: 200 }) id!: string;
  @OneOf(['human', 'agent', 'service']) kind!: string;
}

export class LineageItem {
  @Id() eventId!: string;
  @Text({ max: 200 }) type!: string;
  @Text({ max: 200 }) stream!: string;
  @Digits() revision!: string;
  @Digits() position!: string;
  @Nested(() => AuthorItem) actor!: AuthorItem;
  @Text({ max: 200, optional: true, description: 'The person in whose name an agent acted.' }) onBehalfOf?: string;
  @Time() at!: string;
  @Sha256({ description: 'Of the event as it is stored.' }) contentHash!: string;
}

export class LineagePage {
  @Id() auditId!: string;
  @ListOf(() => LineageItem, { max: 200 }) items!: LineageItem[];
  @ApiProperty({ type: 'string', nullable: true }) next!: string | null;
}
