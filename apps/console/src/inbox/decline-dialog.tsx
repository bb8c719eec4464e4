import { useState } from 'preact/hooks';
import { type Card, type Me } from '../api.js';
import { Dialog } from '../shown/dialog.js';
import { Name, Prose } from '../shown/text.js';
import { outcomeOf } from '../words.js';
import { draftOf, saveDraft } from './drafts.js';

type Props = { card: Card; me: Me; busy: boolean; problem?: string; onDecline: (reason: string) => Promise<void>; onClose: () => void };

/** Asks for the reason, which is all that the agent learns. What is typed stays, whatever happens to the request or the card. */
export const DeclineDialog = ({ card, me, busy, problem, onDecline, onClose }: Props) => {
  const [reason, setReason] = useState(() => draftOf(card.confirmationId));
  const [missing, setMissing] = useState(false);
  // The feed may be faster than the answer to one's own decision, which then is nobody else's.
  const closed = card.status !== 'pending' && !busy;

  const type = (text: string): void => {
    setReason(text);
    setMissing(false);
    saveDraft(card.confirmationId, text);
  };
  const submit = (form: HTMLElement): void => {
    if (reason.trim() !== '') return void onDecline(reason);
    setMissing(true);
    form.querySelector('textarea')?.focus();
  };

  const error = missing ? 'Write a reason. It is what the agent learns from your decision.' : problem;
  return (
    <Dialog title="Decline" verb={closed ? undefined : ['Decline', 'Declining…']} busy={busy} onSubmit={submit} onClose={onClose}>
      <p class="dialog-subject">
        <Prose text={card.operation.summary} />
      </p>
      {closed && (
        <p class="problem" role="alert">
          <Prose text={outcomeOf(card, me).title} />. Your reason was not sent; copy it if you need it.
        </p>
      )}
      <label for="decline-reason">Reason</label>
      <textarea
        id="decline-reason"
        rows={4}
        maxLength={2000}
        required
        value={reason}
        onInput={(event) => type(event.currentTarget.value)}
        aria-invalid={error ? 'true' : undefined}
        aria-describedby={error ? 'decline-problem decline-hint' : 'decline-hint'}
      />
      {error && !closed && (
        <p id="decline-problem" class="problem" role="alert">
          <Prose text={error} />
        </p>
      )}
      <p id="decline-hint" class="hint">
        <Name of={card.agent} /> is given these words as they are. <Prose text={card.outcomes.decline} />
      </p>
    </Dialog>
  );
};
