import { type ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type Tone } from '../words.js';
import { Prose } from './text.js';

type Props = { tone: Tone; title: string; children?: ComponentChildren; alert?: boolean; takesFocus?: boolean };

/**
 * A sentence that stands where it matters. `alert` reads it out at once; `takesFocus` gives the keyboard a place when the button
 * that it was on is gone, and does not interrupt someone who is busy elsewhere.
 */
export const Notice = ({ tone, title, children, alert, takesFocus }: Props) => {
  const box = useRef<HTMLDivElement>(null);
  const taken = useRef(false);
  useEffect(() => {
    if (!takesFocus || taken.current || document.activeElement !== document.body) return;
    taken.current = true;
    box.current?.focus();
  });
  return (
    <div class="notice" data-tone={tone} role={alert ? 'alert' : undefined} tabIndex={takesFocus ? -1 : undefined} ref={box}>
      <p class="notice-title">
        <Prose text={title} />
      </p>
      {children && <div class="notice-body">{children}</div>}
    </div>
  );
};
