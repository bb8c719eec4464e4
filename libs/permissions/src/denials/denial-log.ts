import { Injectable, Logger } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { derivedId, digestOf, DomainError, type CommandMeta } from '#libs/kernel';
import { displayCommand } from '../display.js';
import { digestOfCall, shownCommand, type ToolCall } from '../requests/call.js';
import type { Judged, Proof } from '../requests/permission.js';
import { HandleDenial } from './denial.handler.js';
import { denialId, type Attempt, type CallBlocked, type ForeignPermissionReached } from './denial.js';

/** Puts on record what is denied, beside whom it was denied to. Whether that works or not, it stays denied. */
@Injectable()
export class DenialLog {
  private readonly logger = new Logger('DenialLog');

  constructor(private readonly commands: CommandBus) {}

  /** A call that neither runs nor is asked for, with the policies that say so. */
  async blocked(meta: CommandMeta, call: ToolCall, { tier, ladder, reason, effects }: Judged, proof: Proof): Promise<void> {
    const { actor, at } = meta;
    const { agentId, sessionId, toolName } = call;
    await this.record(meta, {
      type: 'CallBlocked',
      data: {
        owner: actor.accountableHuman,
        agent: { id: actor.id, name: actor.name },
        agentId,
        ...(sessionId !== undefined && { sessionId }),
        toolName,
        command: shortened(displayCommand(shownCommand(call).slice(0, MOST_SHOWN + 1))),
        callDigest: digestOfCall(call),
        tier,
        ladder,
        reason: shortened(reason),
        effects,
        proof,
        at,
      },
    });
  }

  /** A request of the same tenant that is there, and not for whoever sent this. */
  async foreign(meta: CommandMeta, requestId: string, attempt: Attempt): Promise<void> {
    const { actor, at } = meta;
    this.logger.warn(`${actor.kind} ${actor.id} reached for the request ${requestId} of somebody else: ${attempt}.`);
    await this.record(meta, { type: 'ForeignPermissionReached', data: { by: { id: actor.id, name: actor.name }, requestId, attempt, at } });
  }

  /** No such request in this tenant: nothing is written, since anybody could make it grow; whoever runs the server can look for it. */
  unknown({ actor }: CommandMeta, requestId: string, attempt: Attempt): void {
    this.logger.warn(`${actor.kind} ${actor.id} of tenant ${actor.tenantId} reached for ${requestId}, which is not there: ${attempt}.`);
  }

  private async record(meta: CommandMeta, denial: CallBlocked | ForeignPermissionReached): Promise<void> {
    const id = denialId(meta.workspaceId, meta.actor.id, meta.at);
    const command = {
      type: 'RecordDenial' as const,
      data: { denial },
      // What is denied twice by one command, as the same request sent again, is one denial.
      meta: { ...meta, commandId: derivedId(meta.commandId, 'denial'), requestDigest: digestOf({ denial: denial.type }) },
    };
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++)
      try {
        await this.commands.execute(new HandleDenial(id, command));
        return;
      } catch (error) {
        const code = error instanceof DomainError ? error.refusal.code : undefined;
        if (code === 'denial/recorded') return;
        if (code === 'stream/busy' && attempt < MOST_ATTEMPTS) continue;
        this.logger.error(`A denial is not on record: ${error instanceof Error ? error.message : String(error)}`);
        return;
      }
  }
}

const MOST_ATTEMPTS = 5;
const MOST_SHOWN = 2_000;
const shortened = (text: string): string => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN).toWellFormed()}…` : text);
