import { randomBytes } from 'node:crypto';
import { DomainError, refusal } from '#libs/kernel';
import { readToken, signToken } from '#libs/identity';

/** What a viewer's card was shown with. `expiresAt` is RFC 3339 UTC, 5 minutes after it was minted. */
export type ShownToken = Readonly<{
  proposalId: string;
  actionDigest: string;
  presentedDigest: string;
  credentialId: string;
  nonce: string;
  expiresAt: string;
}>;

const LIFETIME_MS = 5 * 60_000;

/** Single-use (seed 000): the decision stores the nonce, and a proposal is decided once. Minting writes nothing. */
export const mintConfirmationToken = (key: Uint8Array, shown: Omit<ShownToken, 'nonce' | 'expiresAt'>, now: string): string => {
  const expiresAt = new Date(Date.parse(now) + LIFETIME_MS).toISOString();
  return `wbt_${signToken(key, 'confirmation', { ...shown, nonce: randomBytes(16).toString('hex'), expiresAt })}`;
};

/** Throws 403 `confirmation/token-invalid` where the token does not speak for this viewer and card. Its expiry is the decider's to judge. */
export const readConfirmationToken = (key: Uint8Array, token: string, proposalId: string, credentialId: string): ShownToken => {
  const shown = token.startsWith('wbt_') ? readToken<ShownToken>(key, 'confirmation', token.slice(4)) : undefined;
  if (shown?.proposalId !== proposalId || shown.credentialId !== credentialId)
    throw new DomainError(
      refusal(
        'forbidden',
        'confirmation/token-invalid',
        'The confirmation_token is not one for you and this card. Read the card for a token of your own.',
      ),
    );
  return shown;
};
