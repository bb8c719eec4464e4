export type SedDeed = Readonly<{ kind: 'write' | 'read' | 'run' | 'odd'; start: number; end: number }>;

/**
 * The commands of a sed script that do more than print: writing to a file, reading one, running a command. What this reader does not
 * know is `odd`. Offsets are into the script.
 */
export const deedsOf = (script: string): SedDeed[] => {
  const deeds: SedDeed[] = [];
  let i = 0;
  const odd = (): void => {
    deeds.push({ kind: 'odd', start: Math.min(i, Math.max(0, script.length - 1)), end: script.length });
    i = script.length;
  };
  const lineEnd = (): number => {
    const at = script.indexOf('\n', i);
    return at < 0 ? script.length : at;
  };
  const blanks = (): void => {
    while (script[i] === ' ' || script[i] === '\t') i++;
  };
  /** Past the next unescaped `delimiter`; false if there is none. */
  const past = (delimiter: string): boolean => {
    for (; i < script.length; i++) {
      if (script[i] === '\\') i++;
      else if (script[i] === delimiter) {
        i++;
        return true;
      } else if (script[i] === '\n' && delimiter !== '\n') return false;
    }
    return false;
  };
  const address = (): boolean => {
    if (/[0-9]/.test(script[i] ?? '')) {
      while (/[0-9~]/.test(script[i] ?? '')) i++;
      return true;
    }
    if (script[i] === '$') {
      i++;
      return true;
    }
    if (script[i] === '/' || script[i] === '\\') {
      if (script[i] === '\\') i++;
      const delimiter = script[i++]!;
      if (!past(delimiter)) {
        odd();
        return false;
      }
      while (/[IM]/.test(script[i] ?? '')) i++;
      return true;
    }
    return false;
  };
  const file = (kind: 'write' | 'read' | 'run'): void => {
    blanks();
    const end = lineEnd();
    deeds.push({ kind, start: i, end });
    i = end;
  };

  while (i < script.length) {
    if (/[\s;]/.test(script[i]!)) {
      i++;
      continue;
    }
    if (address()) {
      blanks();
      if (script[i] === ',') {
        i++;
        blanks();
        if (script[i] === '+' || script[i] === '~') i++;
        if (!address()) odd();
      }
    }
    blanks();
    while (script[i] === '!' || script[i] === ' ') i++;
    const letter = script[i++];
    if (letter === undefined) break;
    if ('{}=dDgGhHnNpPxFz'.includes(letter)) continue;
    if (letter === '#') i = lineEnd();
    else if ('aic'.includes(letter)) {
      // The text goes on over lines that end with a backslash.
      for (;;) {
        const end = lineEnd();
        const more = script[end - 1] === '\\' && end < script.length;
        i = Math.min(end + 1, script.length);
        if (!more) break;
      }
    } else if (letter === ':' || 'btT'.includes(letter)) while (i < script.length && !/[\n;}]/.test(script[i]!)) i++;
    else if ('qQlL'.includes(letter)) while (/[ 0-9]/.test(script[i] ?? '')) i++;
    else if (letter === 'r' || letter === 'R') file('read');
    else if (letter === 'w' || letter === 'W') file('write');
    else if (letter === 'e') file('run');
    else if (letter === 'y' || letter === 's') {
      const delimiter = script[i++];
      if (delimiter === undefined || delimiter === '\n' || delimiter === '\\' || !past(delimiter)) {
        odd();
        continue;
      }
      const replacement = i;
      if (!past(delimiter)) {
        odd();
        continue;
      }
      if (letter === 'y') continue;
      const after = i - 1;
      for (; i < script.length && /[a-zA-Z0-9]/.test(script[i]!); i++) {
        const flag = script[i]!;
        if (flag === 'w') {
          i++;
          file('write');
          break;
        }
        if (flag === 'e') deeds.push({ kind: 'run', start: replacement, end: after });
        else if (!/[gpiImM0-9]/.test(flag)) odd();
      }
    } else {
      i--;
      odd();
    }
  }
  return deeds;
};
