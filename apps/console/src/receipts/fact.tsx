import { type ComponentChildren } from 'preact';
import { Code } from '../shown/text.js';

/** A row of a `facts` list. */
export const Fact = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </>
);
export const Digest = ({ of }: { of: string }) => (
  <span class="digest">
    <Code text={of} />
  </span>
);
