import { Client } from './client.js';
import type { Cast } from './workbench.js';

/** A second tenant with the same roles, founded by the operator of the first. */
export const foundTenant = async (
  cast: Cast,
  url: string,
  name: string,
): Promise<Cast & Readonly<{ tenantId: string; workspaceId: string }>> => {
  const founded = await cast.otto.post('/api/tenants', { name, operator: `Otto of ${name}` });
  if (founded.status !== 201) throw new Error(JSON.stringify(founded.body));
  const otto = new Client(url, founded.body.operator.credential as string);
  const issue = async (wish: object): Promise<{ principalId: string; client: Client }> => {
    const { status, body } = await otto.post('/api/credentials', wish);
    if (status !== 201) throw new Error(JSON.stringify(body));
    return { principalId: body.principalId, client: new Client(url, body.credential as string) };
  };
  const person = (who: string, role: string) => issue({ kind: 'human', name: who, roles: [role] });
  const [mia, ann, ben, ian, val] = await Promise.all([
    person('Mia', 'member'),
    person('Ann', 'approver'),
    person('Ben', 'approver'),
    person('Ian', 'member'),
    person('Val', 'member'),
  ]);
  const [eve, ida, vera] = await Promise.all([
    issue({ kind: 'agent', name: 'Eve', roles: ['eve'], accountableHuman: mia.principalId }),
    issue({
      kind: 'agent',
      name: 'Ida',
      roles: ['implementer'],
      capabilities: ['code', 'content', 'studio'],
      accountableHuman: ian.principalId,
    }),
    issue({ kind: 'service', name: 'Vera', roles: ['verifier'], capabilities: ['verification-worker'], accountableHuman: val.principalId }),
  ]);
  return {
    otto,
    mia: mia.client,
    ann: ann.client,
    ben: ben.client,
    ian: ian.client,
    val: val.client,
    eve: eve.client,
    ida: ida.client,
    vera: vera.client,
    tenantId: founded.body.id,
    workspaceId: founded.body.workspace.id,
  };
};
