import { useEffect, useState } from 'preact/hooks';
import { previewGrant, type GrantPreview, type Permission, type PermissionAction } from '../api.js';
import { draftOf, saveDraft } from '../inbox/drafts.js';
import { Dialog } from '../shown/dialog.js';
import { Code, Name, Prose } from '../shown/text.js';
import { Cover } from './cover.js';
import { type Wish } from './permission-bar.js';
import { endingOf } from './permission-words.js';

/** `edit` approves another input than the one that was asked. */
export type Asking = Exclude<PermissionAction, 'approve'> | 'edit';

type Props = {
  request: Permission;
  asking: Asking;
  over: boolean;
  busy: boolean;
  problem?: string;
  onDecide: (wish: Wish) => void;
  onClose: () => void;
};

const WORDS: Record<Asking, [title: string, verb: string, meanwhile: string, label?: string]> = {
  reject: ['Reject', 'Reject', 'Rejecting…', 'Feedback, if you like'],
  edit: ['Approve something else', 'Approve this', 'Approving…', 'To run instead'],
  approve_always: ['Approve always', 'Approve always', 'Approving…'],
};

/** What a decision needs beside the press: words, another input, or a look at what it covers. What is typed stays. */
export const PermissionDialog = ({ request, asking, over, busy, problem, onDecide, onClose }: Props) => {
  const draft = `${request.id}.${asking}`;
  const [text, setText] = useState(() => draftOf(draft) || (asking === 'edit' ? editable(request) : ''));
  const [preview, setPreview] = useState<GrantPreview>();
  const [unread, setUnread] = useState<string>();
  const [title, verb, meanwhile, label] = WORDS[asking];
  useEffect(() => {
    if (asking !== 'approve_always') return;
    void previewGrant(request.id).then((answer) => (answer.ok ? setPreview(answer.value) : setUnread(answer.failure.detail)));
  }, []);

  const type = (typed: string): void => {
    setText(typed);
    saveDraft(draft, typed);
  };
  const submit = (): void => {
    if (asking === 'edit') return onDecide({ decision: 'approve', modifiedInput: text });
    onDecide({ decision: asking, ...(asking === 'reject' && text !== '' && { feedback: text }) });
  };
  const error = over ? `${endingOf(request, false).title}. Nothing of this was sent.` : (problem ?? unread);
  return (
    <Dialog
      title={title}
      verb={over ? undefined : [verb, meanwhile]}
      busy={busy}
      disabled={asking === 'approve_always' && !preview?.grantable}
      onSubmit={submit}
      onClose={onClose}
    >
      {asking !== 'edit' && (
        <p class="dialog-subject" tabIndex={0} role="region" aria-label="Request">
          <Code text={request.command} />
        </p>
      )}
      {label && (
        <>
          <label for="words">{label}</label>
          <textarea
            id="words"
            class={asking === 'edit' ? 'typed' : undefined}
            rows={4}
            maxLength={asking === 'edit' ? 65_536 : 16_384}
            spellcheck={asking !== 'edit'}
            value={text}
            onInput={(event) => type(event.currentTarget.value)}
            aria-invalid={error ? 'true' : undefined}
            aria-describedby={error ? 'words-hint dialog-problem' : 'words-hint'}
          />
          <p id="words-hint" class="hint">
            {asking === 'edit' ? (
              'It is judged again, and runs once. Where it is judged worse, you are asked again.'
            ) : (
              <>
                <Name of={request.agent} /> is given these words as they are.
              </>
            )}
          </p>
          {asking === 'edit' && (
            <p class="command">
              <span class="unseen">Character by character: </span>
              <Code text={text} />
            </p>
          )}
        </>
      )}
      {asking === 'approve_always' &&
        (preview ? <Cover preview={preview} agent={request.agent} /> : !unread && <p class="hint">Loading…</p>)}
      {error && (
        <p id="dialog-problem" class="problem" role="alert">
          <Prose text={error} />
        </p>
      )}
    </Dialog>
  );
};

const editable = ({ toolInput }: Permission): string =>
  typeof toolInput['command'] === 'string' ? toolInput['command'] : JSON.stringify(toolInput, null, 2);
