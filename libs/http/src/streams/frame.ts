/**
 * One event of a stream (WHATWG server-sent events): `data` as one line of JSON, in which CR, LF and every character
 * survive as escapes; a bigint goes out as a decimal string. A frame may be written to many streams.
 */
export const eventFrame = (event: string, data: unknown, id?: string): string => {
  if (!/^[a-zA-Z0-9_.-]+$/.test(event)) throw new Error(`${event} is no name for an event of a stream.`);
  if (id !== undefined && !/^[\x21-\x7e]+$/.test(id)) throw new Error('The id of an event must be visible ASCII.');
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${toJson(data)}\n\n`;
};

const toJson = (data: unknown): string =>
  JSON.stringify(data ?? null, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
