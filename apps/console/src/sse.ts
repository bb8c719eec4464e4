export type SseEvent = { type: string; data: string };

/**
 * Reads server-sent events from text in whatever chunks it comes (WHATWG HTML, 9.2.6). Comments give nothing: that bytes
 * arrived is for the caller to notice.
 */
export const sseReader = (): ((chunk: string) => SseEvent[]) => {
  let rest = '';
  let type = '';
  let data: string[] = [];
  return (chunk) => {
    const events: SseEvent[] = [];
    // A CR at the end may be half of a CRLF: it waits for the next chunk.
    const text = rest + chunk;
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) events.push({ type: type || 'message', data: data.join('\n') });
        type = '';
        data = [];
        continue;
      }
      const colon = line.indexOf(':');
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
      if (field === 'event') type = value;
      if (field === 'data') data.push(value);
    }
    return events;
  };
};
