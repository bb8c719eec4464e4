import { codeOf, oddity } from './characters.js';
import { type Finding, type Span } from '../verdict.js';

/** UTF-8 bytes. Beyond the first a person is asked whatever it is; beyond the second nobody could read it: it is refused. */
export const LONG = 8 * 1024;
export const TOO_LONG = 16 * 1024;
export const DEEP = 32;
/** Bash and the parser would go on; each level of substitutions costs a reading of all that is left. */
export const TOO_DEEP = 40;
export const MANY = 256;

/** Nothing that has one of these can be shown, stored or compared for sure. */
export const isIllFormed = (text: string): boolean => text.includes('\u0000') || !text.isWellFormed();

export const byteLength = (text: string): number => {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) bytes += 1;
    else if (code < 0x800) bytes += 2;
    else if (code >= 0xd800 && code < 0xdc00) {
      bytes += 4;
      i++;
    } else bytes += 3;
  }
  return bytes;
};

/** What is wrong with the text as text, before anything is read in it. */
export const guard = (text: string): Finding[] => {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  let at = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    const what = oddity(code);
    if (what !== undefined && !seen.has(what))
      findings.push(hidden(`It contains ${what} (${codeOf(code)}).`, { start: at, end: at + character.length }));
    if (what !== undefined) seen.add(what);
    at += character.length;
  }
  const bytes = byteLength(text);
  if (bytes > LONG)
    findings.push(hidden(`It is ${bytes} bytes long; more than ${LONG} are not judged alone.`, { start: 0, end: text.length }));
  return findings;
};

export const hidden = (reason: string, span: Span): Finding => ({ effect: 'obfuscated', reason, span });
