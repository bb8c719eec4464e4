import { mintConfirmationToken, readConfirmationToken } from './confirmation-token.js';

const key = Buffer.alloc(32, 1);
const card = { proposalId: 'p1', actionDigest: 'action', presentedDigest: 'presented', credentialId: 'c-ann' };
const NOW = '2026-01-05T09:00:00.000Z';
const token = mintConfirmationToken(key, card, NOW);

describe('A confirmation token', () => {
  it('says what was shown to whom, for five minutes, under a nonce of its own', () => {
    const read = readConfirmationToken(key, token, 'p1', 'c-ann');
    expect(read).toEqual({ ...card, nonce: read.nonce, expiresAt: '2026-01-05T09:05:00.000Z' });
    expect(readConfirmationToken(key, mintConfirmationToken(key, card, NOW), 'p1', 'c-ann').nonce).not.toBe(read.nonce);
  });
  it.each([
    ['of another card', token, 'p2', 'c-ann', key],
    ['shown to another credential', token, 'p1', 'c-ben', key],
    ['signed with another key', token, 'p1', 'c-ann', Buffer.alloc(32, 2)],
    ['that was changed', token.replace('wbt_', 'wbt_x'), 'p1', 'c-ann', key],
    ['of another kind', token.replace('wbt_', 'wbd_'), 'p1', 'c-ann', key],
    ['that is none', '', 'p1', 'c-ann', key],
  ])('%s is refused', (_, text, proposalId, credentialId, secret) =>
    expect(() => readConfirmationToken(secret, text, proposalId, credentialId)).toThrow('confirmation/token-invalid'),
  );
});
