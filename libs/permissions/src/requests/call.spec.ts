import { digestOfCall, shownCommand, withInput, type ToolCall } from './call.js';

const call: ToolCall = { toolName: 'bash', toolInput: { command: 'git push origin main' }, agentId: 'agent_123' };

describe('A call', () => {
  it('has another digest for any change of it', () => {
    const others: ToolCall[] = [
      { ...call, toolName: 'Bash' },
      { ...call, agentId: 'agent_124' },
      { ...call, sessionId: 's' },
      { ...call, cwd: '/srv' },
      { ...call, shell: 'fish' },
      { ...call, toolInput: { ...call.toolInput, timeout: 1 } },
    ];
    expect(new Set([call, ...others].map(digestOfCall)).size).toBe(others.length + 1);
    expect(digestOfCall({ ...call, toolInput: { b: 1, a: 2 } })).toBe(digestOfCall({ ...call, toolInput: { a: 2, b: 1 } }));
  });
  it('is shown by its command, its path, or its whole input', () => {
    expect(shownCommand(call)).toBe('git push origin main');
    expect(shownCommand({ toolInput: { file_path: '/x', content: 'y' } })).toBe('/x');
    expect(shownCommand({ toolInput: { amount: 3 } })).toBe('{"amount":3}');
  });
  it('takes another command as it is, and another input only as an object', () => {
    expect(withInput(call, 'ls', JSON.parse)?.toolInput).toEqual({ command: 'ls' });
    const other: ToolCall = { ...call, toolInput: { amount: 3 } };
    expect(withInput(other, '{"amount":2}', JSON.parse)?.toolInput).toEqual({ amount: 2 });
    expect(withInput(other, '[1]', JSON.parse)).toBeUndefined();
  });
});
