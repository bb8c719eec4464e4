import { useEffect, useRef, useState } from 'preact/hooks';
import { type Card, type Me } from '../api.js';
import { Name, Prose } from '../shown/text.js';
import { outcomeOf } from '../words.js';
import { draftOf, saveDraft } from './drafts.js';

type Props = { card: Card; me: Me; busy: boolean; problem?: string; onDecline: (reason: string) => Promise<void>; onClose: () => void };

/** Asks for the reason, which is all that the agent learns. What is typed stays, whatever happens to the request or the card. */
export const DeclineDialog = ({ card, me, busy, problem, onDecline, onClose }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const [reason, setReason] = useState(() => draftOf(card.confirmationId));
  const [missing, setMissing] = useState(false);
  // The feed may be faster than the answer to one's own decision, which then is nobody else's.
  const closed = card.status !== 'pending' && !busy;

  useEffect(() => {
    dialog.current?.showModal();
    field.current?.focus();
  }, []);

  const type = (text: string): void => {
    setReason(text);
    setMissing(false);
    saveDraft(card.confirmationId, text);
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    if (busy || closed) return;
    if (reason.trim() === '') {
      setMissing(true);
      field.current?.focus();
      return;
    }
    void onDecline(reason);
  };

  const error = missing ? 'Write a reason. It is what the agent learns from your decision.' : problem;
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="decline-title" onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <h2 id="decline-title">Decline</h2>
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
          ref={field}
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
        <div class="dialog-actions">
          <button type="button" onClick={() => dialog.current?.close()}>
            {closed ? 'Close' : 'Cancel'}
          </button>
          {!closed && (
            <button type="submit" class="primary" aria-disabled={busy}>
              {busy ? 'Declining…' : 'Decline'}
            </button>
          )}
        </div>
      </form>
    </dialog>
  );
};
