import { useEffect, useState } from 'preact/hooks';
import { announce } from '../announce.js';
import { disable, enable, listEnablements, type Enablement, type Me } from '../api.js';
import { now, useNow } from '../clock.js';
import { type Answer, type Failure } from '../request.js';
import { Missing } from '../shown/missing.js';
import { Code, Prose } from '../shown/text.js';
import { Left } from '../shown/time.js';

const DEEDS: Record<string, string> = {
  privilege: 'Change privileges, or act with them',
  'write.device': 'Write to a device',
  'destroy.fs': 'Destroy files beyond the work at hand',
  'destroy.vcs': 'Destroy history or uncommitted work',
  'destroy.db': 'Destroy data in a database',
  'destroy.infra': 'Destroy services or infrastructure',
  'destroy.system': 'Stop or break the system',
};
const TIMES: [seconds: number, words: string][] = [
  [900, '15 minutes'],
  [3600, '1 hour'],
  [28_800, '8 hours'],
  [86_400, '1 day'],
];

/** What cannot be undone is blocked; enabled, it is asked for each time, until its time is over. */
export const EnablementList = ({ me }: { me: Me }) => {
  const [workspace, setWorkspace] = useState(me.workspaces[0]?.id ?? '');
  const [seconds, setSeconds] = useState(3600);
  const [items, setItems] = useState<Enablement[]>([]);
  const [failure, setFailure] = useState<Failure>();
  const [problem, setProblem] = useState<string>();
  useNow();
  const read = async (): Promise<void> => {
    const answer = await listEnablements(workspace);
    setFailure(answer.ok ? undefined : answer.failure);
    if (answer.ok) setItems(answer.value.enablements);
  };
  useEffect(() => void read(), [workspace]);
  const change = async (request: Promise<Answer<unknown>>, said: string): Promise<void> => {
    const answer = await request;
    setProblem(answer.ok ? undefined : answer.failure.detail);
    if (answer.ok) announce(said);
    await read();
  };
  return (
    <section class="part" aria-labelledby="enablements-title">
      <h2 id="enablements-title">What cannot be undone</h2>
      <p class="hint">Blocked unless you enable it. Enabled, your agents may ask, each time; it never becomes a grant.</p>
      <p class="choices">
        {me.workspaces.length > 1 && (
          <select aria-label="In workspace" value={workspace} onChange={(event) => setWorkspace(event.currentTarget.value)}>
            {me.workspaces.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
        <select aria-label="Enable for" value={seconds} onChange={(event) => setSeconds(Number(event.currentTarget.value))}>
          {TIMES.map(([each, words]) => (
            <option key={each} value={each}>
              for {words}
            </option>
          ))}
        </select>
      </p>
      {failure && <Missing what="list of effects" failure={failure} onRetry={() => void read()} />}
      {problem && (
        <p class="problem" role="alert">
          <Prose text={problem} />
        </p>
      )}
      <ul class="records effects">
        {items.map(({ effect, enabled, expiresAt }) => {
          const on = enabled && expiresAt && Date.parse(expiresAt) > now();
          return (
            <li key={effect}>
              <span>
                {DEEDS[effect]} <Code text={effect} />
              </span>
              <span class="choices">
                {on ? (
                  <span class="tag" data-tone="warn">
                    Enabled, <Left until={expiresAt} />
                  </span>
                ) : (
                  <span class="tag">Blocked</span>
                )}
                <button
                  type="button"
                  onClick={() =>
                    void change(
                      on ? disable(workspace, effect) : enable(workspace, effect, seconds),
                      on ? 'Blocked again.' : 'Enabled: you are asked, each time.',
                    )
                  }
                >
                  {on ? 'Disable' : 'Enable'}
                  <span class="unseen"> {effect}</span>
                </button>
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
};
