import { getEventListeners } from 'node:events';
import { eventually } from '../../../../test/support/eventually.js';
import { describeWithControl, withWireServer } from '../../../../test/eventstoredb/target.js';
import { Connection } from './connection.js';
import { readConnectionString } from './connection-string.js';
import { follow } from './subscription.js';

describeWithControl('Who follows a store', () => {
  it('holds on to none of the subscriptions that have ended', () =>
    withWireServer(async ({ node, url }) => {
      const connection = new Connection(readConnectionString(url));
      const leave = new AbortController();
      const following = follow(connection, () => undefined, leave.signal);
      const subscribed = () => node.calls.get('SubscribeToAll') ?? 0;
      for (let deaths = 0; deaths < 5; deaths++) {
        const before = subscribed();
        await eventually(() => node.open.size === 1);
        node.endStreams();
        await eventually(() => subscribed() > before);
      }
      await eventually(() => node.open.size === 1);
      expect(getEventListeners(leave.signal, 'abort').length).toBeLessThan(3);
      leave.abort();
      await following;
      await connection.close();
    }));
});
