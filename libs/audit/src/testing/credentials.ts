import { derivedId, SYSTEM_ID, type NewEvent, type Principal } from '#libs/kernel';

/** The event that issued this principal's credential, written by the product as it is at a first start. */
export const credentialEventFor = ({
  id,
  kind,
  name,
  roles,
  capabilities,
  workspaceIds,
  accountableHuman,
  lineage,
  credentialId,
  tenantId,
}: Principal): NewEvent => ({
  type: 'CredentialIssued',
  id: derivedId('fixture', credentialId),
  data: {
    principalId: id,
    principalKind: kind,
    name,
    roles,
    capabilities,
    workspaceIds,
    accountableHuman,
    lineage,
    secretSha256: '0'.repeat(64),
    issuedBy: SYSTEM_ID,
    at: '2026-01-01T00:00:00.000Z',
    expiresAt: '2099-01-01T00:00:00.000Z',
  },
  meta: {
    tenantId,
    workspaceId: workspaceIds[0]!,
    actor: { id: SYSTEM_ID, kind: 'service' },
    credentialId: SYSTEM_ID,
    auditId: derivedId('fixture', 'credentials'),
    commandId: derivedId('fixture', 'issue', credentialId),
    requestDigest: '',
    correlationId: '',
    causationId: '',
  },
});
