import { useEffect, useState } from 'preact/hooks';
import { announce } from '../announce.js';
import { listGrants, revokeGrant, type Grant, type Me } from '../api.js';
import { Scope } from '../permissions/cover.js';
import { Fact } from '../receipts/fact.js';
import { linkTo } from '../route.js';
import { Missing } from '../shown/missing.js';
import { Code, Prose } from '../shown/text.js';
import { At, Left } from '../shown/time.js';
import { type Failure } from '../request.js';
import { capital, plural } from '../words.js';
import { EnablementList } from './enablement-list.js';

/** What runs without being asked, and what may be asked for at all. `granted` counts what was said of grants: a reason to read. */
export const Grants = ({ granted, me }: { granted: number; me: Me }) => {
  const [grants, setGrants] = useState<Record<string, Grant>>({});
  const [next, setNext] = useState<string | null>();
  const [failure, setFailure] = useState<Failure>();
  const [problem, setProblem] = useState<string>();
  const read = async (cursor: string | null): Promise<void> => {
    const page = await listGrants(cursor);
    setFailure(page.ok ? undefined : page.failure);
    if (!page.ok) return;
    setNext((before) => (cursor === null && before !== undefined ? before : page.value.next));
    setGrants((before) => ({ ...before, ...Object.fromEntries(page.value.items.map((grant) => [grant.id, grant])) }));
  };
  useEffect(() => void read(null), [granted]);
  const revoke = async (grant: Grant): Promise<void> => {
    const answer = await revokeGrant(grant.id);
    setProblem(answer.ok ? undefined : answer.failure.detail);
    if (!answer.ok) return read(null);
    // The button that was pressed goes away.
    document.getElementById('content')?.focus();
    announce('Revoked. It lets nothing through any more.');
    setGrants((before) => ({ ...before, [grant.id]: { ...grant, status: 'revoked', endedAt: new Date().toISOString() } }));
  };

  const all = Object.values(grants).sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
  const active = all.filter(({ status }) => status === 'active');
  const over = all.filter(({ status }) => status !== 'active');
  return (
    <div class="board">
      <header class="page-head">
        <h1>Grants</h1>
        <p class="hint">{next === undefined ? 'Loading…' : `${plural(active.length, 'grant')} in force`}</p>
      </header>
      {failure && <Missing what="list of grants" failure={failure} onRetry={() => void read(null)} />}
      {next !== undefined && active.length === 0 && (
        <p class="hint">Your agents ask you each time. “Approve always” on a request makes a grant.</p>
      )}
      {problem && (
        <p class="problem" role="alert">
          <Prose text={problem} />
        </p>
      )}
      <Tiles grants={active} onRevoke={revoke} />
      {over.length > 0 && (
        <details class="raw">
          <summary>Over: {over.length}</summary>
          <Tiles grants={over} />
        </details>
      )}
      {next && (
        <p>
          <button type="button" onClick={() => void read(next)}>
            Show older
          </button>
        </p>
      )}
      <EnablementList me={me} />
    </div>
  );
};

const Tiles = ({ grants, onRevoke }: { grants: Grant[]; onRevoke?: (grant: Grant) => Promise<void> }) => (
  <ul class="stuck-tasks">
    {grants.map((grant) => (
      <li key={grant.id}>
        <article class="tile grant">
          {grant.status !== 'active' && (
            <p class="tag" data-status={grant.status}>
              {capital(grant.status)}
            </p>
          )}
          <Scope scope={grant} />
          <dl class="facts">
            <Fact label="Agent">
              <Code text={grant.agent.agentId} />
              {grant.agent.sessionId && (
                <>
                  , session <Code text={grant.agent.sessionId} />
                </>
              )}
            </Fact>
            <Fact label="Used">
              {grant.uses} of {plural(grant.maxUses, 'time')}
              {grant.lastUsedAt && (
                <>
                  , last <At time={grant.lastUsedAt} />
                </>
              )}
            </Fact>
            <Fact label="Made">
              <At time={grant.createdAt} />, <a href={linkTo('inbox', grant.from)}>from this request</a>
            </Fact>
            <Fact label={grant.endedAt ? 'Ended' : 'Expires'}>
              <At time={grant.endedAt ?? grant.expiresAt} />
              {onRevoke && (
                <>
                  , <Left until={grant.expiresAt} />
                </>
              )}
            </Fact>
          </dl>
          {onRevoke && (
            <button type="button" onClick={() => void onRevoke(grant)}>
              Revoke
              <span class="unseen">
                {' '}
                <Prose text={grant.prefix.join(' ')} />
              </span>
            </button>
          )}
        </article>
      </li>
    ))}
  </ul>
);
