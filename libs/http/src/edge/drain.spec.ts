import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, get, request, type IncomingMessage } from 'node:http';
import type { OnModuleDestroy, Type } from '@nestjs/common';
import { eventually } from '../../../../test/support/eventually.js';
import { held, openStreams, startSample } from '../../../../test/support/sample-app.js';
import { EventStreams } from '../streams/event-streams.js';
import { Drain } from './drain.js';

// Sockets and servers on a busy machine: the conditions are what is tested, not the time.
jest.setTimeout(30_000);

describe('A server that is told to stop', () => {
  beforeEach(() => {
    held.splice(0);
    openStreams.splice(0);
  });

  it('finishes what is in flight, ends streams with an event, takes nothing new, and only then takes the rest down', async () => {
    const order: string[] = [];
    class Pool implements OnModuleDestroy {
      onModuleDestroy(): void {
        order.push('pool closed');
      }
    }
    const { app, url } = await startSample({}, [{ module: Pool as Type, global: true }]);
    const inFlight = fetch(`${url}/api/hold`, { method: 'POST' }).then(async (answer) => {
      return { status: answer.status, body: (await answer.json()) as object, connection: answer.headers.get('connection') };
    });
    const stream = await fetch(`${url}/api/stream`);
    await eventually(() => held.length === 1 && openStreams.length === 1);

    const closed = app.close().then(() => order.push('closed'));
    await eventually(() => app.get(Drain).stopping);
    expect((await stream.text()).trimEnd()).toMatch(/event: stream_end\ndata: {}$/);
    const outcome = await fetch(`${url}/api/things`).then(
      () => 'answered',
      () => 'refused',
    );
    expect(outcome).toBe('refused');
    // A request that was under way on a connection of before learns to come again.
    const late = await app.inject({ url: '/api/things' });
    expect([late.statusCode, late.headers['retry-after'], late.json<object>()]).toMatchObject([503, '1', { code: 'server/stopping' }]);
    expect(order).toEqual([]);

    order.push('let go');
    held[0]!();
    expect(await inFlight).toEqual({ status: 200, body: { held: true }, connection: 'close' });
    await closed;
    expect(order).toEqual(['let go', 'pool closed', 'closed']);
  });

  it('waits for what does not finish only so long', async () => {
    const { app, url } = await startSample({ stopMs: 100 });
    const stuck = fetch(`${url}/api/hold`, { method: 'POST' }).then(
      () => 'answered',
      () => 'cut off',
    );
    await eventually(() => held.length === 1);
    const began = performance.now();
    await app.close();
    expect(performance.now() - began).toBeGreaterThanOrEqual(95);
    expect(await stuck).toBe('cut off');
  });

  it('is not held open by connections that are merely kept alive, nor by clients that do not read', async () => {
    const { app, url } = await startSample({ stopMs: 5_000 });
    const agent = new Agent({ keepAlive: true });
    const response = await new Promise<IncomingMessage>((resolve) => get(`${url}/api/things`, { agent }, resolve));
    response.resume();
    await once(response, 'end');
    const unread = request(`${url}/api/stream`).end();
    const [answer] = (await once(unread, 'response')) as [IncomingMessage];
    answer.pause();
    await eventually(() => app.get(EventStreams).size === 1);
    openStreams[0]!.send('change', 'x'.repeat(900_000));
    const winner = await Promise.race([app.close().then(() => 'closed'), delay(4_500, 'still open', { ref: false })]);
    expect(winner).toBe('closed');
    agent.destroy();
    unread.destroy();
  });

  it('may be told twice, and before it listens', async () => {
    const { app } = await startSample();
    await Promise.all([app.close(), app.get(Drain).run()]);
  });
});
