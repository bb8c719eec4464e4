import { hex, oddity } from './shell/characters.js';

/** The command as it can be shown to a person: hidden characters as `\u{200B}`. What is stored and run stays as it is. */
export const displayCommand = (command: string): string => {
  let shown = '';
  for (const character of command) {
    const code = character.codePointAt(0)!;
    shown += oddity(code) === undefined ? character : `\\u{${hex(code)}}`;
  }
  return shown;
};
