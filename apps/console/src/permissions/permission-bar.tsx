import { useRef, useState } from 'preact/hooks';
import { announce } from '../announce.js';
import { decidePermission, type Permission, type PermissionDecision } from '../api.js';
import { saveDraft } from '../inbox/drafts.js';
import { UNKNOWN_OUTCOME } from '../inbox/decision-bar.js';
import { newKey } from '../request.js';
import { Prose } from '../shown/text.js';
import { Left } from '../shown/time.js';
import { PermissionDialog, type Asking } from './permission-dialog.js';

/** What was pressed; it goes with what was shown. */
export type Wish = Omit<PermissionDecision, 'presentedDigest'>;
type Props = { request: Permission; over: boolean; reread: () => Promise<void>; onMine: (mine: boolean) => void };

/** The actions that the server offers on this request, and only these. */
export const PermissionBar = ({ request, over, reread, onMine }: Props) => {
  const [busy, setBusy] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [asking, setAsking] = useState<Asking>();
  // One press is one command, however often it has to be sent until an answer comes; other words make another.
  const keys = useRef<Record<string, string>>({});

  const decide = async (wish: Wish): Promise<void> => {
    if (busy) return;
    const decision = { ...wish, presentedDigest: request.presentedDigest };
    const intent = JSON.stringify(decision);
    setBusy(decision.decision);
    setProblem(undefined);
    // The feed may be faster than the answer.
    onMine(true);
    const answer = await decidePermission(request.id, decision, (keys.current[intent] ??= newKey()));
    const known = answer.ok || answer.failure.reached;
    if (known) delete keys.current[intent];
    if (answer.ok) {
      if (asking) saveDraft(`${request.id}.${asking}`, '');
      setAsking(undefined);
      if (answer.value.success) announce(decision.decision === 'reject' ? 'Rejected.' : 'Approved.');
      else setProblem(`What you wrote is judged worse than what was asked: ${answer.value.reason} Decide on it as it stands here now.`);
    } else {
      setProblem(!answer.failure.reached ? UNKNOWN_OUTCOME : ENDED.test(answer.failure.code) ? undefined : answer.failure.detail);
      if (known) onMine(false);
    }
    if (known) await reread();
    setBusy(undefined);
  };

  if (over && !asking && !problem) return null;
  const open = (what: Asking) => () => {
    setProblem(undefined);
    setAsking(what);
  };
  const button = (label: string, meanwhile: boolean, onClick: () => void, kind?: string) => (
    <button type="button" class={kind} onClick={onClick} aria-haspopup={label.endsWith('…') ? 'dialog' : undefined} aria-disabled={!!busy}>
      {meanwhile ? 'Approving…' : label}
    </button>
  );
  const offers = (action: Permission['actions'][number]): boolean => !over && request.actions.includes(action);
  return (
    <div class="bar" role="group" aria-label="Decide">
      <div class="bar-words">
        {!over && <Left until={new Date(request.expiresAt).toISOString()} />}
        {problem && !asking && (
          <p class="problem" role="alert">
            <Prose text={problem} />
          </p>
        )}
      </div>
      <div class="bar-actions">
        {offers('reject') && button('Reject…', false, open('reject'))}
        {offers('approve') && button('Edit…', false, open('edit'))}
        {offers('approve_always') && button('Approve always…', false, open('approve_always'))}
        {offers('approve') &&
          button(
            'Approve',
            busy === 'approve',
            () => void decide({ decision: 'approve' }),
            request.ladder >= 4 ? 'primary danger' : 'primary',
          )}
      </div>
      {asking && (
        <PermissionDialog
          request={request}
          asking={asking}
          over={over && !busy}
          busy={!!busy}
          problem={problem}
          onDecide={(decision) => void decide(decision)}
          onClose={() => setAsking(undefined)}
        />
      )}
    </div>
  );
};

// What the request itself says once it is read again.
const ENDED = /^permission\/(decided|expired|cancelled)$/;
