import { callsTo } from './soak/http.mjs';
import { startProduct } from './servers.mjs';

/** The product with its routes, and everybody of its demo tenant by role; `eve` acts for the member. */
export const startApi = async (urls, over = {}) => {
  const server = await startProduct(urls, { api: true, ...over });
  const calls = callsTo(server.url, () => undefined);
  const as = (role) => calls.as(server.credentials.find((each) => each.role === role).credential);
  const cast = Object.fromEntries(['member', 'approver', 'implementer', 'operator'].map((role) => [role, as(role)]));
  const { delegation } = await cast.member.post('/api/delegations');
  return {
    ...server,
    cast: { ...cast, eve: as('eve').with({ 'workbench-delegation': delegation }) },
    async stop() {
      calls.close();
      await server.stop();
    },
  };
};

export const propose = ({ eve }, operation, args) => eve.post('/api/proposals', { operation, arguments: args, reason: 'A bench asks.' });

/** Reads the card for its token and approves with it; answers the stream that was changed. */
export const approve = async ({ approver }, confirmationId) => {
  const card = `/api/confirmations/${confirmationId}`;
  const { confirmation_token } = await approver.get(card);
  const { receipt } = await approver.post(`${card}/approve`, { confirmation_token });
  return receipt.receipts[0].stream;
};

/** The id of a new work item. */
export const createWorkItem = async (cast, title) => {
  const { confirmationId } = await propose(cast, 'record.create', { kind: 'work_item', fields: { title } });
  return (await approve(cast, confirmationId)).slice('record-'.length);
};
