import { Injectable } from '@nestjs/common';
import { EventStore, streamName, type Recorded } from '#libs/kernel';
import { tierOf, type Effect } from '../effects.js';
import { destructiveEffects, enablementDecider, enablementId, isEnabled, type Enablement, type EnablementEvent } from './enablement.js';

/** What an owner has enabled, from the streams: the newest on every server. */
@Injectable()
export class Enablements {
  constructor(private readonly store: EventStore) {}

  /** Those of these effects that cannot be undone and are enabled at this time. */
  async enabled(workspaceId: string, owner: string, effects: readonly Effect[], at: string): Promise<Effect[]> {
    const asked = effects.filter((effect) => tierOf(effect) === 'destructive');
    const states = await Promise.all(asked.map((effect) => this.of(workspaceId, owner, effect)));
    return asked.filter((_, index) => isEnabled(states[index]!, at));
  }

  /** Every effect that can be enabled, with how it stands. */
  async all(workspaceId: string, owner: string): Promise<readonly Readonly<{ effect: Effect; state: Enablement }>[]> {
    return Promise.all(destructiveEffects.map(async (effect) => ({ effect, state: await this.of(workspaceId, owner, effect) })));
  }

  private async of(workspaceId: string, owner: string, effect: Effect): Promise<Enablement> {
    const stream = streamName(enablementDecider.category, enablementId(workspaceId, owner, effect));
    const { events } = await this.store.readStream<EnablementEvent>(stream);
    return events.reduce<Enablement>(
      (state, event: Recorded<EnablementEvent>) => enablementDecider.evolve(state, event),
      enablementDecider.initialState,
    );
  }
}
