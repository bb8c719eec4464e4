import { useState } from 'preact/hooks';
import { type Card, type Change } from '../api.js';
import { diffWords, type Stretch } from '../diff.js';
import { Code, Pieces, Prose } from '../shown/text.js';
import { prose } from '../visible.js';
import { plural } from '../words.js';

/** The material changes, field by field, as they would be: what goes marked on the left, what comes on the right. */
export const Changes = ({ card: { changes, targets } }: { card: Card }) => (
  <section class="part" aria-labelledby="changes-title">
    <h2 id="changes-title">
      Changes <span class="figure">{changes.length}</span>
    </h2>
    {changes.map((change) => (
      <FieldChange
        key={`${change.record} ${change.field}`}
        change={change}
        record={targets.length > 1 ? targets.find(({ id }) => id === change.record)?.title : undefined}
      />
    ))}
  </section>
);

const FieldChange = ({ change, record }: { change: Change; record?: string }) => {
  const before = written(change.before);
  const after = written(change.after);
  const diff = diffWords(before ?? '', after ?? '');
  const short = [before, after].every((text) => text === undefined || (text.length <= 48 && !text.includes('\n')));
  return (
    <div class="change">
      <h3>
        {record && (
          <>
            <Prose text={record} />:{' '}
          </>
        )}
        <Prose text={change.label} /> <Code text={change.field} />
      </h3>
      {short ? (
        <p class="swap">
          <span class="unseen">Before: </span>
          <Short text={before} stretches={diff.before} side="before" />
          <span class="arrow" aria-hidden="true">
            →
          </span>
          <span class="unseen">. After: </span>
          <Short text={after} stretches={diff.after} side="after" />
        </p>
      ) : (
        <div class="sides">
          <Side label={change.label} text={before} stretches={diff.before} side="before" />
          <Side label={change.label} text={after} stretches={diff.after} side="after" />
        </div>
      )}
    </div>
  );
};

type SideProps = { text: string | undefined; stretches: Stretch[]; side: 'before' | 'after' };

const Short = ({ text, stretches, side }: SideProps) => (
  <span class="value" data-side={side}>
    {text ? <Marked stretches={stretches} side={side} /> : <Nothing text={text} />}
  </span>
);

// Past this a side scrolls by itself until it is opened, so that one long field does not bury the others.
const LONG = 1500;

const Side = ({ label, text, stretches, side }: SideProps & { label: string }) => {
  const [open, setOpen] = useState(false);
  const long = (text?.length ?? 0) > LONG;
  const scrolls = long && !open;
  return (
    <div class="side" data-side={side}>
      <p class="side-label">
        <span aria-hidden="true">{side === 'before' ? '−' : '+'}</span> {side === 'before' ? 'Before' : 'After'}
        {long && <span class="faint">{plural(text!.length, 'character')}</span>}
        {long && (
          <button type="button" class="link" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Show less' : 'Show all'}
          </button>
        )}
      </p>
      <div
        class="value"
        data-scrolls={scrolls ? '' : undefined}
        {...(scrolls ? { tabIndex: 0, role: 'region', 'aria-label': `${label}, ${side}` } : {})}
      >
        {text ? <Marked stretches={stretches} side={side} /> : <Nothing text={text} />}
      </div>
    </div>
  );
};

const Marked = ({ stretches, side }: { stretches: Stretch[]; side: 'before' | 'after' }) => (
  <bdi class="prose" dir="auto">
    {stretches.map(({ text, changed }, i) => {
      const pieces = <Pieces pieces={prose(text)} />;
      if (!changed) return pieces;
      return side === 'before' ? <del key={i}>{pieces}</del> : <ins key={i}>{pieces}</ins>;
    })}
  </bdi>
);

const Nothing = ({ text }: { text: string | undefined }) => <span class="nothing">{text === undefined ? 'not set' : 'empty'}</span>;

/** A JSON value as text to compare: lists by line, objects indented; undefined where there is no value. */
const written = (value: unknown): string | undefined => {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join('\n');
  return JSON.stringify(value, null, 2);
};
