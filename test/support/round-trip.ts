import type { Cast } from './workbench.js';
import type { Answer, Client } from './client.js';

/** Eve acting for this person: a delegation that the person's own credential minted. */
export const eveFor = async (cast: Pick<Cast, 'eve'>, person: Client): Promise<Client> => {
  const { status, body } = await person.post('/api/delegations');
  if (status >= 300) throw new Error(JSON.stringify(body));
  return cast.eve.with({ 'workbench-delegation': (body as { delegation: string }).delegation });
};

export const propose = async (eve: Client, operation: string, args: object, key?: string): Promise<Answer<any>> =>
  eve.post('/api/proposals', { operation, arguments: args, reason: 'Because it helps.' }, key === undefined ? {} : { key });

/** Reads the card for its token and approves with it. */
export const approve = async (approver: Client, confirmationId: string, key?: string): Promise<Answer<any>> => {
  const { body } = await approver.get(`/api/confirmations/${confirmationId}`);
  return approver.post(
    `/api/confirmations/${confirmationId}/approve`,
    { confirmation_token: body.confirmation_token ?? 'none' },
    key === undefined ? {} : { key },
  );
};

/** A record made by a proposal that Ann approved; answers its id. */
export const createRecord = async (cast: Cast, kind: string, fields: object): Promise<string> => {
  const eve = await eveFor(cast, cast.mia);
  const proposed = await propose(eve, 'record.create', { kind, fields });
  if (proposed.status !== 202) throw new Error(JSON.stringify(proposed.body));
  const approved = await approve(cast.ann, proposed.body.confirmationId as string);
  const stream = approved.body.receipt?.receipts[0].stream as string | undefined;
  if (stream === undefined) throw new Error(JSON.stringify(approved.body));
  return stream.slice('record-'.length);
};
