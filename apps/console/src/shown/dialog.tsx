import { type ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

type Props = {
  title: string;
  /** The button that does it, and what it says meanwhile; without it there is nothing left to do but close. */
  verb?: [at: string, meanwhile: string];
  busy: boolean;
  danger?: boolean;
  disabled?: boolean;
  onSubmit: (form: HTMLElement) => void;
  onClose: () => void;
  children: ComponentChildren;
};

/** A question that has to be answered or left; typing can begin at once. */
export const Dialog = ({ title, verb, busy, danger, disabled, onSubmit, onClose, children }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector('textarea')?.focus();
  }, []);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!busy && !disabled && verb && dialog.current) onSubmit(dialog.current);
  };
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="dialog-title" onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <h2 id="dialog-title">{title}</h2>
        {children}
        <div class="dialog-actions">
          <button type="button" onClick={() => dialog.current?.close()}>
            {verb ? 'Cancel' : 'Close'}
          </button>
          {verb && (
            <button type="submit" class={danger ? 'primary danger' : 'primary'} aria-disabled={busy || disabled}>
              {verb[busy ? 1 : 0]}
            </button>
          )}
        </div>
      </form>
    </dialog>
  );
};
