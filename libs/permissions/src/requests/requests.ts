import { Injectable } from '@nestjs/common';
import { DomainError, EventStore, streamName, type CommandMeta } from '#libs/kernel';
import { DenialLog } from '../denials/denial-log.js';
import type { Attempt } from '../denials/denial.js';
import { permissionDecider } from './permission.decider.js';
import type { AskedPermission, Permission, PermissionEvent, Proof } from './permission.js';
import { notFound } from './refusals.js';
import { permissionIdOf } from './request-id.js';

/** A request with what its first event and its newest policies say. */
export type Found = Readonly<{
  permissionId: string;
  permission: AskedPermission;
  requestedAt: string;
  proof: Proof;
  policies: readonly string[];
  workspaceId: string;
  credentialId: string;
}>;

/** Requests as they stand in their streams, for whom they concern. */
@Injectable()
export class Requests {
  constructor(
    private readonly store: EventStore,
    private readonly denials: DenialLog,
  ) {}

  /**
   * For its owner or the agent that asked. For anybody else 404 `permission/not-found`, whether it is there or not; where it is, that
   * they tried stands on record beside what else is denied to them.
   */
  async find(meta: CommandMeta, requestId: string, attempt: Attempt): Promise<Found> {
    const { actor } = meta;
    const permissionId = permissionIdOf(actor.tenantId, requestId);
    if (permissionId === undefined) throw new DomainError(notFound());
    const { events } = await this.store.readStream<PermissionEvent>(streamName(permissionDecider.category, permissionId));
    const state = events.reduce<Permission>((known, event) => permissionDecider.evolve(known, event), permissionDecider.initialState);
    const first = events[0];
    if (!first || state.status === 'none' || first.meta.tenantId !== actor.tenantId || state.requestId !== requestId) {
      this.denials.unknown(meta, requestId, attempt);
      throw new DomainError(notFound());
    }
    if (![state.owner, state.agent.id].includes(actor.id) || !actor.workspaceIds.includes(first.meta.workspaceId)) {
      await this.denials.foreign(meta, requestId, attempt);
      throw new DomainError(notFound());
    }
    const proof = events.reduce<Proof>((known, { data }) => ('proof' in data ? data.proof : known), { policies: [], policyVersion: '' });
    return {
      permissionId,
      permission: state,
      requestedAt: requestedAt(first),
      proof,
      policies: proof.policies,
      workspaceId: first.meta.workspaceId,
      credentialId: first.meta.credentialId,
    };
  }
}

const requestedAt = ({ data }: Readonly<{ data: PermissionEvent['data'] }>): string =>
  'requestedAt' in data ? data.requestedAt : 'at' in data ? data.at : '';
