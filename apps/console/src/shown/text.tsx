import { useState } from 'preact/hooks';
import { type Named } from '../api.js';
import { code, prose, type Piece } from '../visible.js';

/** Text that others wrote. It can't run, reorder its surroundings, or hide a character. */
export const Prose = ({ text }: { text: string }) => (
  <bdi class="prose" dir="auto">
    <Pieces pieces={prose(text)} />
  </bdi>
);

/** A command, path, digest or other name: whole, in the order of its characters, look-alikes of ASCII underlined. */
export const Code = ({ text }: { text: string }) => (
  <code class="code" dir="ltr">
    <Pieces pieces={code(text)} />
  </code>
);

export const Pieces = ({ pieces }: { pieces: Piece[] }) => (
  <>
    {pieces.map((piece) =>
      piece.kind === 'text' ? (
        piece.text
      ) : piece.kind === 'ghost' ? (
        <span class="ghost" title={piece.name ? `Invisible character: ${piece.name}` : 'Invisible character'}>
          {piece.text}
        </span>
      ) : (
        <span class="foreign" title={`Not ASCII: ${[...piece.text].slice(0, 12).map(point).join(' ')}`}>
          {piece.text}
        </span>
      ),
    )}
  </>
);
const point = (character: string): string => `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

export const Name = ({ of }: { of: Named }) => <Prose text={of.name} />;

/** An identifier in full, with a way to take it along. */
export const Id = ({ id, label }: { id: string; label: string }) => {
  const [copied, setCopied] = useState(false);
  // The clipboard is there only over HTTPS and on localhost.
  const copy = (): void => void navigator.clipboard.writeText(id).then(() => setCopied(true));
  return (
    <span class="id">
      <Code text={id} />
      {'clipboard' in navigator && (
        <button
          type="button"
          class="link"
          onClick={copy}
          onBlur={() => setCopied(false)}
          aria-label={copied ? `${label} copied` : `Copy ${label}`}
        >
          {copied ? 'Copied' : 'Copy'}
        </button>
      )}
    </span>
  );
};
