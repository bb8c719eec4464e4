import { sseReader } from './sse.js';

describe('A stream of events', () => {
  it('is read whole, however it is cut', () => {
    const text = ': hello\r\nid: 7\r\nevent: card\r\ndata: {"a":\r\ndata: 1}\r\n\r\nevent: ready\ndata: {}\n\ndata:no space\r\r';
    const expected = [
      { type: 'card', data: '{"a":\n1}' },
      { type: 'ready', data: '{}' },
      { type: 'message', data: 'no space' },
    ];
    for (let size = 1; size <= text.length; size++) {
      const read = sseReader();
      const events = [];
      for (let at = 0; at < text.length; at += size) events.push(...read(text.slice(at, at + size)));
      // A CR that ends the stream could be half of a CRLF, so its line ends only when more comes.
      events.push(...read('\n'));
      expect(events).toEqual(expected);
    }
  });

  it('has no event in a heartbeat, nor in one without data', () => {
    const read = sseReader();
    expect(read(': still here\n\n')).toEqual([]);
    expect(read('event: ready\n\n')).toEqual([]);
  });
});
