const MOST = 64;

/**
 * What braces make of a word, as source text of words without braces that expand; undefined where it is more than anyone would read.
 * Quotes, escapes and expansions are kept as they are.
 */
export const expandBraces = (source: string): readonly string[] | undefined => {
  const out: string[] = [];
  return expand('', source, out, 0) ? out : undefined;
};

const expand = (done: string, rest: string, out: string[], depth: number): boolean => {
  if (depth > 24 || out.length > MOST) return false;
  for (let i = 0; i < rest.length; i = skip(rest, i)) {
    if (rest[i] !== '{') continue;
    const inner = group(rest, i);
    const choices = inner && (inner.parts.length > 1 ? inner.parts : sequence(inner.parts[0]!));
    if (!choices) continue;
    return choices.every((choice) => expand(done + rest.slice(0, i), choice + rest.slice(inner.end), out, depth + 1));
  }
  out.push(done + rest);
  return out.length <= MOST;
};

/** The next place to look: after an escape, a quoted piece or an expansion, else one further. */
const skip = (source: string, i: number): number => {
  const letter = source[i];
  if (letter === '\\') return i + 2;
  if (letter === "'") return after(source, source.indexOf("'", i + 1));
  if (letter === '"') {
    for (let j = i + 1; j < source.length; j++)
      if (source[j] === '\\') j++;
      else if (source[j] === '"') return j + 1;
    return source.length;
  }
  if (letter === '$' && (source[i + 1] === '{' || source[i + 1] === '(')) {
    const open = source[i + 1]!;
    const close = open === '{' ? '}' : ')';
    let deep = 0;
    for (let j = i + 1; j < source.length; j++) {
      if (source[j] === '\\') j++;
      else if (source[j] === open) deep++;
      else if (source[j] === close && --deep === 0) return j + 1;
    }
    return source.length;
  }
  return i + 1;
};
const after = (source: string, at: number): number => (at < 0 ? source.length : at + 1);

const group = (source: string, open: number): { parts: string[]; end: number } | undefined => {
  const parts: string[] = [];
  let from = open + 1;
  let deep = 0;
  for (let i = open + 1; i < source.length; i = skip(source, i)) {
    const letter = source[i];
    if (letter === '{') deep++;
    else if (letter === '}' && deep-- === 0) {
      parts.push(source.slice(from, i));
      return { parts, end: i + 1 };
    } else if (letter === ',' && deep === 0) {
      parts.push(source.slice(from, i));
      from = i + 1;
    }
  }
  return undefined;
};

const sequence = (text: string): string[] | undefined => {
  const numbers = /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(-?\d{1,9}))?$/.exec(text);
  const letters = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d{1,9}))?$/.exec(text);
  const match = numbers ?? letters;
  if (!match) return undefined;
  const [from, to] = numbers ? [Number(match[1]), Number(match[2])] : [match[1]!.charCodeAt(0), match[2]!.charCodeAt(0)];
  const step = Math.max(1, Math.abs(Number(match[3] ?? 1)));
  const items: string[] = [];
  for (let value = from; from <= to ? value <= to : value >= to; value += from <= to ? step : -step) {
    items.push(numbers ? String(value) : String.fromCharCode(value));
    if (items.length > MOST) return items;
  }
  return items;
};
