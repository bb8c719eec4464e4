import { type ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type Card, type RecordRef } from '../api.js';
import { linkTo } from '../route.js';
import { Risk } from '../shown/risk.js';
import { Code, Id, Name, Pieces, Prose } from '../shown/text.js';
import { Ago, At, Left } from '../shown/time.js';
import { prose } from '../visible.js';
import { capital, plural, spoken, STATUS } from '../words.js';
import { Changes } from './changes.js';
import { Scope } from './scope.js';

/** All that a person decides on, from the card alone. `children` are notices about its present state. */
export const CardView = ({ card, children }: { card: Card; children: ComponentChildren }) => {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), [card.confirmationId]);
  return (
    <>
      <header class="card-head">
        <p class="card-kicker">
          <Risk risk={card.risk} />
          <span>{card.mode === 'four_eyes' ? 'Four eyes' : 'Supervised'}</span>
          <span>{card.operation.reversible ? 'Reversible' : 'Not reversible'}</span>
          {card.status !== 'pending' && (
            <span class="tag" data-status={card.status}>
              {STATUS[card.status]}
            </span>
          )}
        </p>
        <h1 id="card-title" ref={title} tabIndex={-1}>
          <Prose text={card.operation.summary} />
        </h1>
        <p class="card-target">
          <Code text={card.operation.name} />
          {card.targets.length > 1 ? (
            <span>{plural(card.targets.length, 'target')}</span>
          ) : (
            card.target && <TargetLine target={card.target} />
          )}
        </p>
        <p class="card-target">
          <span>
            <Name of={card.agent} /> for <Name of={card.requester} />
          </span>
          <span>
            <Name of={card.workspace} />, <Name of={card.tenant} />
          </span>
          <span>
            <Ago since={card.submittedAt} /> ago
          </span>
        </p>
        {card.reason !== '' && (
          <figure class="said">
            <blockquote>
              <Prose text={card.reason} />
            </blockquote>
            <figcaption>
              <Name of={card.agent} />
              ’s reason
            </figcaption>
          </figure>
        )}
      </header>
      {children}
      {card.warnings.length > 0 && (
        <section class="warnings" aria-label="Warnings">
          <ul>
            {card.warnings.map((warning, i) => (
              <li key={i}>
                <Prose text={warning} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {card.status === 'pending' && (
        <section class="outcomes" aria-label="What each decision does">
          <div id="outcome-approve">
            <h2>If you approve</h2>
            <p>
              <Prose text={card.outcomes.approve} />
            </p>
          </div>
          <div>
            <h2>If you decline</h2>
            <p>
              <Prose text={card.outcomes.decline} />
            </p>
          </div>
        </section>
      )}
      {card.changes.length > 0 && <Changes card={card} />}
      {card.targets.length > 1 && <Records title="Targets" records={card.targets} />}
      {card.references.length > 0 && <Records title="Refers to" records={card.references} />}
      {card.work && <Scope work={card.work} />}
      <Facts card={card} />
      {card.arguments && (
        <details class="raw">
          <summary>The arguments as proposed</summary>
          <pre tabIndex={0} role="region" aria-label="Arguments">
            <Pieces pieces={prose(JSON.stringify(card.arguments, null, 2))} />
          </pre>
        </details>
      )}
    </>
  );
};

const TargetLine = ({ target }: { target: RecordRef }) => (
  <span>
    {spoken(target.kind)} <Prose text={target.title} />, revision {target.revision}
  </span>
);

const Records = ({ title, records }: { title: string; records: RecordRef[] }) => (
  <section class="part" aria-label={title}>
    <h2>
      {title} <span class="figure">{records.length}</span>
    </h2>
    <ol class="records" {...(records.length > 10 ? { tabIndex: 0, role: 'list', 'aria-label': title } : {})}>
      {records.map((record) => (
        <li key={record.id}>
          <Prose text={record.title} />
          <span class="faint">
            {spoken(record.kind)}, revision {record.revision}
          </span>
        </li>
      ))}
    </ol>
  </section>
);

const Facts = ({ card }: { card: Card }) => (
  <section class="part" aria-labelledby="facts-title">
    <h2 id="facts-title">On record</h2>
    <dl class="facts">
      <dt>Risk</dt>
      <dd>
        {capital(spoken(card.risk.class))}: <Prose text={card.risk.why} />
      </dd>
      <dt>Proposed by</dt>
      <dd>
        <Name of={card.agent} />
      </dd>
      <dt>Requested by</dt>
      <dd>
        <Name of={card.requester} />
      </dd>
      <dt>Where</dt>
      <dd>
        <Name of={card.tenant} />, <Name of={card.workspace} />
      </dd>
      <dt>Who may decide</dt>
      <dd>
        {card.mode === 'four_eyes'
          ? 'Another approver than the requester (four eyes)'
          : 'Any approver, the requester included (supervised)'}
      </dd>
      <dt>Proposed</dt>
      <dd>
        <At time={card.submittedAt} />, <Ago since={card.submittedAt} /> ago
      </dd>
      <dt>{card.status === 'pending' ? 'Expires' : 'Time to decide ended'}</dt>
      <dd>
        <At time={card.approvalExpiresAt} />
        {card.status === 'pending' && (
          <>
            , <Left until={card.approvalExpiresAt} />
          </>
        )}
      </dd>
      <dt>Conflict</dt>
      <dd>
        <Prose text={conflictOf(card)} />
      </dd>
      <dt>Repeats</dt>
      <dd>
        One decision is taken, and it has one effect, however often it is sent.
        {card.idempotency && (
          <>
            {' Proposed once, by command '}
            <Code text={card.idempotency.commandId} />.
          </>
        )}
      </dd>
      {card.supersedes && (
        <>
          <dt>Replaces</dt>
          <dd>
            <a href={linkTo('inbox', card.supersedes)}>the proposal before it</a>
          </dd>
        </>
      )}
      <dt>Audit id</dt>
      <dd>
        <Id id={card.auditId} label="audit id" />
      </dd>
      <dt>Action digest</dt>
      <dd>
        <Code text={card.actionDigest} />
      </dd>
      <dt>Shown digest</dt>
      <dd>
        <Code text={card.presentedDigest} />
      </dd>
    </dl>
  </section>
);

const conflictOf = (card: Card): string => {
  if (card.conflict.stale) return `Stale: ${card.conflict.detail ?? 'what it rests on has changed.'}`;
  if (card.status !== 'pending') return 'None when this was decided.';
  const records = card.targets.length + card.references.length;
  if (records === 0) return 'None: it rests on no record.';
  return records === 1 ? 'None: the record is still as shown.' : 'None: all records are still as shown.';
};
