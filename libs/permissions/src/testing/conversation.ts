import type { Answer } from '../../../../test/support/client.js';
import { eventually } from '../../../../test/support/eventually.js';
import type { PermissionEntry } from '../requests/entry.js';
import type { GateAnswer } from '../requests/gate-answer.js';
import { startPermissions, type PermissionServer } from './permission-server.js';

/** What agents and their owners say to a server, in a word each: Eve asks and Mia decides unless it is somebody else. */
export const converse = (server: PermissionServer) => {
  const pending = async (who: string, query = ''): Promise<PermissionEntry[]> =>
    (await server.as(who).get<{ pending: PermissionEntry[] }>(`/api/permissions${query}`)).body.pending;
  return {
    pending,
    /** Asks for what needs a person; the id of the request. */
    queued: async (command: string, over: object = {}, who = 'eve'): Promise<string> => {
      const { status, body } = await server.ask(command, over, who);
      if (status !== 200 || body.allow || body.requestId === undefined)
        throw new Error(`${command} was not queued: ${JSON.stringify(body)}`);
      return body.requestId;
    },
    decide: (requestId: string, decision: string, over: object = {}, who = 'mia'): Promise<Answer> =>
      server.as(who).post('/api/permissions', { requestId, decision, ...over }),
    redeem: (requestId: string, command: string, over: object = {}, who = 'eve'): Promise<Answer<GateAnswer>> =>
      server.ask(command, { requestId, ...over }, who),
    /** The request once its owner's list shows it. */
    listed: (who: string, requestId: string): Promise<PermissionEntry> =>
      eventually(async () => (await pending(who)).find(({ id }) => id === requestId)),
    typesOf: async (requestId: string): Promise<string[]> => (await server.events(requestId)).map(({ type }) => type),
  };
};
export type Conversation = ReturnType<typeof converse>;

/** Two servers on one database, the first of which works in the background, and what is said to the first. */
export type Pair = Readonly<{ server: PermissionServer; other: PermissionServer; to: Conversation; close(): Promise<void> }>;

export const startPair = async (): Promise<Pair> => {
  const server = await startPermissions();
  const other = await startPermissions({ test: server.test });
  const close = async () => {
    await other.close();
    await server.close();
  };
  return { server, other, to: converse(server), close };
};
