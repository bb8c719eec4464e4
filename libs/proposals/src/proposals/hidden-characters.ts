/**
 * Whether the texts of a JSON value hold characters that a person reads past and a machine does not: invisible ones,
 * direction controls, tags. The joiners and selectors inside an emoji are part of what is seen.
 */
export const holdsHiddenCharacters = (value: unknown): boolean => HIDDEN.test(JSON.stringify(value).replace(EMOJI, ''));

const HIDDEN = /\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}/u;
const EMOJI = /\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?(?:\u200d\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)*/gu;
