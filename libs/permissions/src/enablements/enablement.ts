import { accept, derivedId, refuse, type Command, type Decider, type Event, type Recorded } from '#libs/kernel';
import { EFFECTS, tierOf, type Effect } from '../effects.js';

/** What is blocked unless its owner has enabled it: what cannot be undone. */
export const destructiveEffects: readonly Effect[] = EFFECTS.filter((effect) => tierOf(effect) === 'destructive');

// Events: these shapes are stored forever. Times are RFC 3339 UTC, `owner` is a principal id.
/** Until `expiresAt`, calls of the owner's agents that have this effect are asked for, each time, rather than blocked. */
export type DestructiveEnabled = Event<
  'DestructiveEnabled',
  Readonly<{ owner: string; effect: Effect; at: string; expiresAt: string; reason: string }>
>;
/** They are blocked again. */
export type DestructiveDisabled = Event<'DestructiveDisabled', Readonly<{ owner: string; effect: Effect; at: string }>>;
export type EnablementEvent = DestructiveEnabled | DestructiveDisabled;

export type EnableDestructive = Command<'EnableDestructive', Readonly<{ effect: Effect; ms: number; reason: string }>>;
export type DisableDestructive = Command<'DisableDestructive', Readonly<{ effect: Effect }>>;
export type EnablementCommand = EnableDestructive | DisableDestructive;

export type Enablement = Readonly<{ status: 'off' }> | Readonly<{ status: 'on'; owner: string; at: string; expiresAt: string }>;

/** One stream for each owner and effect in a workspace, so that it is found without a read model. */
export const enablementId = (workspaceId: string, owner: string, effect: Effect): string =>
  derivedId('enablement', workspaceId, owner, effect);

export const isEnabled = (state: Enablement, at: string): boolean => state.status === 'on' && at < state.expiresAt;

const evolve = (_: Enablement, event: Recorded<EnablementEvent>): Enablement => {
  if (event.type !== 'DestructiveEnabled') return { status: 'off' };
  const { owner, at, expiresAt } = event.data;
  return { status: 'on', owner, at, expiresAt };
};

export const enablementDecider: Decider<EnablementCommand, Enablement, EnablementEvent> = {
  category: 'enablement',
  initialState: { status: 'off' },
  decide: (command, state) => {
    const { actor, at } = command.meta;
    if (actor.kind !== 'human') return refuse('forbidden', 'permission/human-only', 'Only a person enables what cannot be undone.');
    const { effect } = command.data;
    switch (command.type) {
      case 'EnableDestructive': {
        const { ms, reason } = command.data;
        const expiresAt = new Date(Date.parse(at) + ms).toISOString();
        return accept({ type: 'DestructiveEnabled', data: { owner: actor.id, effect, at, expiresAt, reason } });
      }
      case 'DisableDestructive':
        if (!isEnabled(state, at)) return refuse('not_found', 'enablement/not-found', 'This effect is not enabled.');
        return accept({ type: 'DestructiveDisabled', data: { owner: actor.id, effect, at } });
      default:
        return command satisfies never;
    }
  },
  evolve,
};
