import { type ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type Permission } from '../api.js';
import { Fact } from '../receipts/fact.js';
import { Notice } from '../shown/notice.js';
import { Risk } from '../shown/risk.js';
import { Code, Id, Name, Pieces, Prose } from '../shown/text.js';
import { Ago, At, Left } from '../shown/time.js';
import { code, codeAround } from '../visible.js';
import { capital, STATUS } from '../words.js';
import { LADDER } from './permission-words.js';

type Props = { request: Permission; over: boolean; workspace?: string; children: ComponentChildren };

/** All that a person decides on. The command is whole, whatever its length; `children` are notices about its present state. */
export const PermissionView = ({ request, over, workspace, children }: Props) => {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), [request.id]);
  const { command, span, toolInput, segments, ungrantable } = request;
  const [before, marked, after] = codeAround(command, span);
  const since = new Date(request.timestamp).toISOString();
  const until = new Date(request.expiresAt).toISOString();
  const whole = typeof toolInput['command'] === 'string' && Object.keys(toolInput).length === 1;
  return (
    <>
      <header class="card-head">
        <p class="card-kicker">
          <Risk risk={{ class: LADDER[request.ladder] ?? '', level: request.ladder }} />
          <span>{capital(request.tier)}</span>
          {request.status !== 'pending' && (
            <span class="tag" data-status={request.status}>
              {STATUS[request.status]}
            </span>
          )}
        </p>
        <h1 id="card-title" ref={title} tabIndex={-1}>
          <Name of={request.agent} /> asks to use <Prose text={request.toolName} />
        </h1>
        <p class="card-target">
          <span>
            <Code text={request.agentId} />
          </span>
          {request.cwd !== undefined && (
            <span>
              in <Code text={request.cwd} />
            </span>
          )}
          {workspace !== undefined && (
            <span>
              <Prose text={workspace} />
            </span>
          )}
          <span>
            <Ago since={since} /> ago
          </span>
        </p>
      </header>
      {children}
      <pre class="command">
        <code class="code" dir="ltr">
          <Pieces pieces={before} />
          {marked.length > 0 && (
            <mark>
              <Pieces pieces={marked} />
            </mark>
          )}
          <Pieces pieces={after} />
        </code>
      </pre>
      <section class="warnings" aria-label="Why you are asked">
        <p>
          <Prose text={request.reason} />
        </p>
        {marked.length > 0 && (
          <p>
            Marked: <Code text={command.slice(span.start, span.end)} />
          </p>
        )}
        {ungrantable && (
          <p>
            Can be approved once only: <Prose text={ungrantable} />
          </p>
        )}
      </section>
      {request.originalInput && (
        <Notice tone="warn" title="You changed this; the agent asked for something else">
          <Json of={request.originalInput} />
        </Notice>
      )}
      {!whole && (
        <section class="part">
          <h2>Input</h2>
          <Json of={toolInput} />
        </section>
      )}
      {segments.length > 1 && (
        <section class="part">
          <h2>
            Commands in it <span class="figure">{segments.length}</span>
          </h2>
          <ol class="segments">
            {segments.map((segment, i) => (
              <li key={i} data-tier={segment.tier}>
                <Code text={segment.text} />
                <p>
                  {capital(segment.tier)}: <Prose text={segment.reason} />
                </p>
              </li>
            ))}
          </ol>
        </section>
      )}
      <section class="part">
        <h2>On record</h2>
        <dl class="facts">
          <Fact label="Asked by">
            <Name of={request.agent} />, as <Code text={request.agentId} />
          </Fact>
          {request.sessionId !== undefined && (
            <Fact label="Session">
              <Code text={request.sessionId} />
            </Fact>
          )}
          <Fact label="Effects">
            <Code text={request.effects.join(', ')} />
          </Fact>
          <Fact label="Policies">
            <Code text={request.policies.join(', ')} />
          </Fact>
          <Fact label="Asked">
            <At time={since} />
          </Fact>
          <Fact label={over ? 'Time ended' : 'Expires'}>
            <At time={until} />
            {!over && (
              <>
                , <Left until={until} />
              </>
            )}
          </Fact>
          <Fact label="Runs">Once, if you approve; nothing else that the agent sends.</Fact>
          <Fact label="Request id">
            <Id id={request.id} label="request id" />
          </Fact>
        </dl>
      </section>
    </>
  );
};

// Escaped by JSON or not, every character that hides is written out.
const Json = ({ of }: { of: Record<string, unknown> }) => (
  <pre class="command">
    <code class="code" dir="ltr">
      <Pieces pieces={JSON.stringify(of, null, 2).split('\n').flatMap(line)} />
    </code>
  </pre>
);
// Line ends and indents are the layout's own here.
const line = (text: string, i: number) => {
  const start = text.search(/\S/);
  return [{ kind: 'text' as const, text: (i > 0 ? '\n' : '') + text.slice(0, start) }, ...code(text.slice(start))];
};
