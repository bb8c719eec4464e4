import { useRef, useState } from 'preact/hooks';
import { announce } from '../announce.js';
import { approve, decline, repropose, withdraw, type Card, type CardAction, type Me } from '../api.js';
import { now } from '../clock.js';
import { newKey, type Answer } from '../request.js';
import { goTo } from '../route.js';
import { Prose } from '../shown/text.js';
import { Left } from '../shown/time.js';
import { type Reading } from './card-page.js';
import { DeclineDialog } from './decline-dialog.js';
import { saveDraft } from './drafts.js';

type Props = { card: Card; reading?: Reading; reread: () => Promise<Reading | undefined>; me: Me };

// A token is good for five minutes from its reading; one this old is read again before it is used.
const TOKEN_FRESH_MS = 4 * 60_000;

/** The actions that the server offers on this card, and only these. */
export const DecisionBar = ({ card, reading, reread, me }: Props) => {
  const [busy, setBusy] = useState<CardAction>();
  const [problem, setProblem] = useState<string>();
  const [declining, setDeclining] = useState(false);
  // One press is one command, however often it has to be sent until an answer comes.
  const keys = useRef<Partial<Record<CardAction, string>>>({});
  const actions = reading && reading.card.status === card.status ? reading.card.actions : [];

  const send = async <T,>(action: CardAction, command: (key: string) => Promise<Answer<T>>, done: (value: T) => void): Promise<void> => {
    if (busy) return;
    setBusy(action);
    setProblem(undefined);
    const answer = await command((keys.current[action] ??= newKey()));
    if (answer.ok || answer.failure.reached) delete keys.current[action];
    if (answer.ok) done(answer.value);
    else setProblem(answer.failure.reached ? (IN_PLACE[answer.failure.code] ?? answer.failure.detail) : UNKNOWN_OUTCOME);
    setBusy(undefined);
    // Done or refused, the card says what is true now.
    if (answer.ok || answer.failure.reached) await reread();
  };

  const onApprove = async (): Promise<void> => {
    if (busy || !reading) return;
    let current: Reading | undefined = reading;
    if (!current.token || now() - current.readAt > TOKEN_FRESH_MS) {
      setBusy('approve');
      current = await reread();
      setBusy(undefined);
      if (!current || current.card.status !== 'pending') return;
      // A press meant for one text approves no other.
      if (current.card.presentedDigest !== card.presentedDigest)
        return setProblem('The card is not the one that you saw. Look at it again.');
    }
    const { token } = current;
    if (!token) return setProblem('The server does not let you approve this card now. Read it again, or ask another approver.');
    await send(
      'approve',
      (key) => approve(card.confirmationId, token, key),
      () => announce('Approved.'),
    );
  };

  const onDecline = (reason: string): Promise<void> =>
    send(
      'decline',
      (key) => decline(card.confirmationId, reason, key),
      () => {
        saveDraft(card.confirmationId, '');
        setDeclining(false);
        announce('Declined.');
      },
    );

  const onRepropose = (): Promise<void> =>
    send(
      'repropose',
      (key) => repropose(card.confirmationId, key),
      (proposed) => {
        announce('Proposed again.');
        goTo('inbox', proposed.confirmationId);
      },
    );

  const onWithdraw = (): Promise<void> =>
    send(
      'withdraw',
      (key) => withdraw(card.confirmationId, key),
      () => announce('Withdrawn.'),
    );

  if (actions.length === 0 && card.status !== 'pending' && !problem && !declining) return null;
  const risky = card.risk.level >= 4 || !card.operation.reversible;
  return (
    <div class="bar" role="group" aria-label="Decide">
      <div class="bar-words">
        {card.status === 'pending' && <Left until={card.approvalExpiresAt} />}
        {problem && !declining && (
          <p class="problem" role="alert">
            <Prose text={problem} />
          </p>
        )}
        {!problem && reading && card.status === 'pending' && !actions.includes('approve') && <p class="hint">{whyNot(card, me)}</p>}
      </div>
      <div class="bar-actions">
        {actions.includes('withdraw') && (
          <button type="button" onClick={() => void onWithdraw()} aria-disabled={!!busy}>
            {busy === 'withdraw' ? 'Withdrawing…' : 'Withdraw'}
          </button>
        )}
        {actions.includes('decline') && (
          <button type="button" onClick={() => setDeclining(true)} aria-haspopup="dialog" aria-disabled={!!busy}>
            Decline…
          </button>
        )}
        {actions.includes('repropose') && (
          <button
            type="button"
            class={actions.includes('approve') ? '' : 'primary'}
            onClick={() => void onRepropose()}
            aria-disabled={!!busy}
          >
            {busy === 'repropose' ? 'Proposing…' : 'Propose again'}
          </button>
        )}
        {actions.includes('approve') && (
          <button
            type="button"
            class={risky ? 'primary danger' : 'primary'}
            onClick={() => void onApprove()}
            aria-disabled={!!busy}
            aria-describedby="outcome-approve"
          >
            {busy === 'approve' ? 'Approving…' : 'Approve'}
          </button>
        )}
      </div>
      {declining && (
        <DeclineDialog
          card={card}
          me={me}
          busy={busy === 'decline'}
          problem={problem}
          onDecline={onDecline}
          onClose={() => setDeclining(false)}
        />
      )}
    </div>
  );
};

// Refusals that the card itself explains once it is read again; the server's sentences name routes of the API.
const IN_PLACE: Record<string, string> = {
  'confirmation/stale': 'What this rests on has changed, so nothing was done.',
  'confirmation/expired': 'Time to decide had run out, so nothing was done.',
};

export const UNKNOWN_OUTCOME =
  'The server could not be reached, so it is not known whether this arrived. Pressing again is safe: it counts once.';

const whyNot = (card: Card, me: Me): string => {
  if (card.conflict.stale) return 'It can’t be approved as it stands.';
  if (card.mode === 'four_eyes' && card.requester.id === me.id) return 'You asked for this, so another person must decide it.';
  return 'You can read this card; deciding it is for someone else.';
};
