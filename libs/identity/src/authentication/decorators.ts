import { applyDecorators, createParamDecorator, SetMetadata, type CustomDecorator, type ExecutionContext } from '@nestjs/common';
import type { CommandMeta, Principal, Role } from '#libs/kernel';
import { WithoutCredential } from '#libs/http';
import type { Action } from '../authority.js';
import { identityOf, type Delegation } from './request-identity.js';

export const ALLOWED = 'workbench:allowed';
export const PUBLIC = 'workbench:public';

/**
 * Who may use this route or controller: an action (preferred: policies say who), or roles. Without it any
 * authenticated principal may. On a method it replaces that of the class.
 */
export function Allow(action: Action): CustomDecorator;
export function Allow(...roles: Role[]): CustomDecorator;
export function Allow(first: Action | Role, ...others: Role[]): CustomDecorator {
  return SetMetadata(ALLOWED, first.includes('.') ? (first as Action) : [first as Role, ...others]);
}

/** This route needs no credential, and sees none. */
export const Public = () => applyDecorators(SetMetadata(PUBLIC, true), WithoutCredential());

/** The authenticated principal. */
export const Actor = createParamDecorator((_: unknown, context: ExecutionContext): Principal => of(context).actor);

/**
 * What a command carries of its request. `at` is when the request came in: a long poll that decides later takes a new time
 * from the Clock. `commandId` follows from `Idempotency-Key` where one is sent; `workspaceId` from the header
 * `Workbench-Workspace`, else from the delegation, else the credential's first.
 */
export const Meta = createParamDecorator((_: unknown, context: ExecutionContext): CommandMeta => of(context).meta());

/** The human in whose name the actor (Eve) acts, by the header `Workbench-Delegation`; undefined without one. */
export const OnBehalfOf = createParamDecorator((_: unknown, context: ExecutionContext): Delegation | undefined => of(context).delegation);

/** The workspace of this request, always one of the actor's. */
export const Workspace = createParamDecorator((_: unknown, context: ExecutionContext): string => of(context).workspaceId);

const of = (context: ExecutionContext) => identityOf(context.switchToHttp().getRequest<object>());
