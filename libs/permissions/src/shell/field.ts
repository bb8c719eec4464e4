import { UNKNOWN, type Text } from './text.js';

/** One word of a simple command after expansion. */
export type Field = Text &
  Readonly<{
    /** False where the value was computed: it may make a verdict worse, never better. */
    certain: boolean;
    /** Has unquoted pattern characters. */
    glob: boolean;
    /** Holds an unquoted unknown: it may turn out to be no word, or many. */
    splits: boolean;
  }>;

/** Bash may turn this word into an option, whatever it looks like here. */
export const mayBeOption = ({ value, certain, splits }: Field): boolean =>
  value.startsWith(UNKNOWN) || (splits && value.includes(UNKNOWN)) || (!certain && value.startsWith('-'));

/** Known to the letter, as far as it goes. */
export const isPlain = (field: Field): boolean => field.certain && !field.value.includes(UNKNOWN);
