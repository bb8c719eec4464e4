import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError, EventStore, readState, streamName, type Principal } from '#libs/kernel';
import { TokenKey } from '#libs/identity';
import { Clock } from '#libs/postgres';
import { RecordsQuery } from '#libs/records';
import { proposalDecider } from '../proposal.decider.js';
import type { Moved, Proposal } from '../proposal.js';
import { notFound } from '../refusals.js';
import { ConfirmationsQuery, type ConfirmationFilter, type ConfirmationRow } from '../read-models/confirmations.js';
import { cardFor, evolveCard, movedRecords, type Card, type CardFold } from './card.js';
import { mintConfirmationToken } from './confirmation-token.js';

/** `revision` is that of the proposal's stream; `token` is there for who may approve this card now. */
export type ShownCard = Readonly<{ card: Card; state: Proposal; revision: bigint; token?: string }>;

/** Cards as people see them. Reading one writes nothing, however often. */
@Injectable()
export class Cards {
  constructor(
    private readonly store: EventStore,
    private readonly records: RecordsQuery,
    private readonly rows: ConfirmationsQuery,
    private readonly clock: Clock,
    private readonly key: TokenKey,
  ) {}

  /** From the streams, so always the newest. 404 `proposal/not-found` also where it is not this viewer's to see. */
  async show(viewer: Principal, confirmationId: string): Promise<ShownCard> {
    const { events, state, revision } = await readState(this.store, proposalDecider, confirmationId, viewer);
    const fold = events.reduce<CardFold | undefined>(evolveCard, undefined);
    if (!fold || !maySee(viewer, fold)) throw new DomainError(notFound());
    const card = cardFor(viewer, fold, await this.presentRevisions(fold), this.clock.now());
    if (!card.actions.includes('approve')) return { card, state, revision };
    const { actionDigest, presentedDigest } = card;
    const token = mintConfirmationToken(
      this.key.bytes,
      { proposalId: confirmationId, actionDigest, presentedDigest, credentialId: viewer.credentialId },
      this.clock.now(),
    );
    return { card, state, revision, token };
  }

  /** A page of the inbox, from the read models. */
  async list(viewer: Principal, filter: ConfirmationFilter): Promise<Readonly<{ rows: ConfirmationRow[]; cards: Card[] }>> {
    const rows = await this.rows.list(viewer, filter);
    const ids = rows.flatMap(({ card }) => [...card.targets, ...card.references].map(({ id }) => id));
    return { rows, cards: this.shown(viewer, rows, await this.records.revisions(viewer.tenantId, ids)) };
  }

  /** As `list`, from one snapshot that the caller holds. */
  async listWithin(manager: EntityManager, viewer: Principal, filter: ConfirmationFilter): Promise<Card[]> {
    const rows = await this.rows.listWithin(manager, viewer, filter);
    const ids = rows.flatMap(({ card }) => [...card.targets, ...card.references].map(({ id }) => id));
    return this.shown(viewer, rows, await this.records.revisionsWithin(manager, ids));
  }

  private async presentRevisions({ targets, references }: Pick<CardFold, 'targets' | 'references'>): Promise<ReadonlyMap<string, string>> {
    const ids = [...targets, ...references].map(({ id }) => id);
    return new Map(
      await Promise.all(ids.map(async (id) => [id, (await this.store.readStream(streamName('record', id))).revision.toString()] as const)),
    );
  }

  /** Of the records on this card, those that are no longer as shown. */
  async moved(card: CardFold): Promise<Moved[]> {
    return movedRecords([...card.targets, ...card.references], await this.presentRevisions(card));
  }

  private shown(viewer: Principal, rows: readonly ConfirmationRow[], revisions: ReadonlyMap<string, string>): Card[] {
    const now = this.clock.now();
    return rows.map(({ card }) => cardFor(viewer, card, revisions, now));
  }
}

/** Who decides or operates sees every card of the workspace; others what they asked for, agents what they proposed. */
export const maySee = (viewer: Principal, card: Pick<CardFold, 'requester' | 'agent'>): boolean =>
  viewer.roles.some((role) => role === 'approver' || role === 'operator') || [card.requester.id, card.agent.id].includes(viewer.id);
