import { describeProblems } from '#libs/http';

describeProblems('unauthenticated', {
  'auth/missing': 'Neither a bearer credential nor a session came with the request.',
  'auth/invalid': 'There is no such credential, or its secret is another one.',
  'auth/expired': 'The credential or the session has expired.',
  'auth/revoked': 'The credential was revoked.',
});
describeProblems('forbidden', {
  'auth/role': 'The credential holds no role that may do this.',
  'auth/origin': "A session cookie came from another site's page.",
  'delegation/not-eve': 'Only Eve may act on behalf of others.',
  'delegation/invalid': 'The delegation was not minted here.',
  'delegation/expired': 'The delegation has expired.',
  'delegation/foreign': 'The delegation is for another tenant or workspace.',
  'delegation/revoked': 'The credential that minted the delegation was revoked, has expired, or lost the workspace.',
  'tenant/not-root': 'Only operators of the root tenant found tenants.',
});
describeProblems('not_found', {
  'credential/not-found': 'There is no such credential in reach.',
  'principal/not-found': 'There is no such principal in reach.',
  'workspace/not-found': 'There is no such workspace in reach.',
  'tenant/not-found': 'There is no such tenant in reach.',
});
describeProblems('conflict', {
  'credential/exists': 'The credential exists already.',
  'credential/revoked': 'The credential was revoked before; by whom and when.',
  'tenant/exists': 'The tenant exists already.',
  'tenant/permanent': 'A tenant is never deleted.',
  'workspace/exists': 'The workspace exists already.',
  'workspace/archived': 'The workspace is archived.',
});
describeProblems('invalid', {
  'credential/mixed-sides': 'A credential holds roles of one side only; answered with 403 where one that does not is used.',
  'credential/no-role': 'A credential needs a role.',
  'credential/kind': 'This role is not for this kind of principal.',
  'credential/capability': 'This capability is not for this role and kind of principal.',
  'credential/no-workspace': 'A credential needs a workspace.',
  'credential/accountable-human': 'An agent or service needs an accountable human of the tenant; a human names nobody else.',
  'credential/principal': 'A new principal needs kind and name; one that exists keeps its own.',
  'credential/expiry': 'A credential ends after it begins.',
});
