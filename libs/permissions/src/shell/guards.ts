import { codeOf, oddity } from './characters.js';
import { type Finding, type Span } from '../verdict.js';

/** UTF-8 bytes. Beyond the first a person is asked whatever it is; beyond the second nobody could read it: it is refused. */
export const LONG = 8 * 1024;
export const TOO_LONG = 16 * 1024;
export const DEEP = 32;
/** Bash and the parser would go on; each level of substitutions costs a reading of all that is left. */
export const TOO_DEEP = 40;
export const MANY = 256;
/** Of one text, times its characters: the parser looks for the end of every bracket that is never closed to the end of the text. */
const TANGLED = 700_000;
const MOST_COMMANDS = 1_500;

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

/** Why nobody could follow the text, though it is not too long; undefined where one could. It costs a fraction of what reading it would. */
export const whyUnreadable = (text: string): string | undefined => {
  let [parentheses, braces, arithmetic, commands] = [0, 0, 0, 0];
  for (let at = 0; at < text.length; at++)
    switch (text.charCodeAt(at)) {
      case OPEN:
        parentheses++;
        if (text.charCodeAt(at + 1) === OPEN) arithmetic++;
        break;
      case CLOSE:
        parentheses--;
        if (text.charCodeAt(at + 1) === CLOSE) arithmetic--;
        break;
      case OPEN_BRACE:
        braces++;
        break;
      case CLOSE_BRACE:
        braces--;
        break;
      case SEMICOLON:
      case PIPE:
      case AMPERSAND:
        commands++;
    }
  if (Math.max(parentheses, braces, arithmetic) * text.length > TANGLED)
    return `${Math.max(parentheses, braces, arithmetic)} brackets are opened and never closed, which nobody can follow before deciding.`;
  if (commands > MOST_COMMANDS) return `It runs far more than ${MOST_COMMANDS} commands, which nobody can read before deciding.`;
  return undefined;
};
const [OPEN, CLOSE, OPEN_BRACE, CLOSE_BRACE, SEMICOLON, PIPE, AMPERSAND] = [...'(){};|&'].map((each) => each.charCodeAt(0));

export const hidden = (reason: string, span: Span): Finding => ({ effect: 'obfuscated', reason, span });
