import { streamName, type Command, type Decider, type Event, type EventStore } from '#libs/kernel';

/** The state of a stream as it is now, whoever asks: for the server's own judgement, never an answer. */
export async function load<C extends Command, S, E extends Event>(store: EventStore, decider: Decider<C, S, E>, id: string): Promise<S> {
  const { events } = await store.readStream<E>(streamName(decider.category, id));
  return events.reduce((state, event) => decider.evolve(state, event), decider.initialState);
}
