/** The command of a tool that takes one. */
export const shellCommandOf = (toolInput: Readonly<Record<string, unknown>>): string | undefined =>
  typeof toolInput['command'] === 'string' ? toolInput['command'] : undefined;

/** Words in which no shell sees anything but words; undefined for any other text. A first word with `=` would be an assignment. */
export const wordsOf = (command: string): readonly string[] | undefined =>
  /^[A-Za-z0-9_./+-]+( [A-Za-z0-9_./:=@%+,-]+)*$/.test(command) ? command.split(' ') : undefined;
