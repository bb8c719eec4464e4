import { CommandAnswer, Id, ListOf, Nested, oneOf, OneOf, Text, Time } from '#libs/http';
import { CAPABILITIES, KINDS, ROLES } from './sides.js';

// What the routes answer, for the API's documentation.
const name = { max: 100 };

export class NamedAnswer {
  @Id() id!: string;
  @Text(name) name!: string;
}

export class MeAnswer {
  @Id({ description: 'Principal id.' }) id!: string;
  @Text(name) name!: string;
  @OneOf(KINDS) kind!: string;
  @ListOf(oneOf(ROLES), { max: 6 }) roles!: string[];
  @ListOf(oneOf(CAPABILITIES), { max: 4 }) capabilities!: string[];
  @ListOf(() => NamedAnswer, { max: 100 }) workspaces!: NamedAnswer[];
  @Nested(() => NamedAnswer) tenant!: NamedAnswer;
  @Id() credentialId!: string;
}

export class DelegationAnswer {
  @Text({ max: 2000, description: 'For the header Workbench-Delegation of Eve.' }) delegation!: string;
  @Time() expiresAt!: string;
}

const secret = { max: 100, nullable: true, description: 'The bearer credential, this once; null in the answer to a repeat.' };

export class IssuedAnswer extends CommandAnswer {
  @Id() principalId!: string;
  @OneOf(KINDS) principalKind!: string;
  @Text(name) name!: string;
  @ListOf(oneOf(ROLES), { max: 6 }) roles!: string[];
  @ListOf(oneOf(CAPABILITIES), { max: 4 }) capabilities!: string[];
  @ListOf('id', { max: 100 }) workspaceIds!: string[];
  @Id() accountableHuman!: string;
  @Id({ description: 'Principal id of the operator.' }) issuedBy!: string;
  @Time() at!: string;
  @Time() expiresAt!: string;
  @Text(secret) credential!: string | null;
}

export class CredentialItem {
  @Id() id!: string;
  @Id() principalId!: string;
  @OneOf(KINDS) kind!: string;
  @Text(name) name!: string;
  @ListOf(oneOf(ROLES), { max: 6 }) roles!: string[];
  @ListOf(oneOf(CAPABILITIES), { max: 4 }) capabilities!: string[];
  @ListOf('id', { max: 100 }) workspaceIds!: string[];
  @Id() accountableHuman!: string;
  @OneOf(['issued', 'revoked'], { description: 'Expired ones are issued, with expiresAt in the past.' }) status!: string;
  @Id() issuedBy!: string;
  @Time() issuedAt!: string;
  @Time() expiresAt!: string;
  @Time({ nullable: true }) revokedAt!: string | null;
  @Id({ nullable: true }) revokedBy!: string | null;
  @Text({ min: 0, max: 500, nullable: true }) revokedReason!: string | null;
  @Text({ max: 20, description: 'Decimal string.' }) revision!: string;
}

export class EndedAnswer extends CommandAnswer {
  @OneOf(['revoked', 'archived']) status!: string;
}

class FirstOperator {
  @Id() credentialId!: string;
  @Text(name) name!: string;
  @Text(secret) credential!: string | null;
}

export class FoundedAnswer extends CommandAnswer {
  @Text(name) name!: string;
  @Nested(() => NamedAnswer) workspace!: NamedAnswer;
  @Nested(() => FirstOperator) operator!: FirstOperator;
}

export class TenantItem extends NamedAnswer {
  @Time() foundedAt!: string;
}

export class OpenedAnswer extends CommandAnswer {
  @Text(name) name!: string;
}

export class WorkspaceItem extends NamedAnswer {
  @Time() createdAt!: string;
  @Time({ nullable: true }) archivedAt!: string | null;
}
