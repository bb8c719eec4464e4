import { type ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { readEnvelope, type Receipt } from '../api.js';
import { linkTo } from '../route.js';
import { Code, Id, Name, Pieces, Prose } from '../shown/text.js';
import { prose } from '../visible.js';
import { Chain } from './chain.js';
import { Digest, Fact } from './fact.js';
import { saveAs } from './save-as.js';

/** The chain as it was signed, step by step: each names the digest that binds it to the one before. */
export const ReceiptView = ({ receipt }: { receipt: Receipt }) => {
  const { statement } = receipt;
  const { predicate } = statement;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [receipt.receiptId]);
  return (
    <>
      <header class="card-head">
        <p class="card-kicker">
          <span>Receipt</span>
          <span>
            <Name of={predicate.workspace} />, <Name of={predicate.tenant} />
          </span>
        </p>
        <h1 ref={heading} tabIndex={-1}>
          <Prose text={predicate.chain.work.title} />
        </h1>
        <Downloads receipt={receipt} />
      </header>
      <Part title="How it came to be">
        <Chain chain={predicate.chain} />
      </Part>
      <Part title="What this does not prove">
        <ul class="limits">
          {predicate.doesNotProve.map((limit, i) => (
            <li key={i}>
              <Prose text={limit} />
            </li>
          ))}
        </ul>
      </Part>
      <Part title="Signed">
        <dl class="facts">
          <Fact label="Audit id">
            <Id id={predicate.auditId} label="audit id" />
          </Fact>
          <Fact label="Proposal">
            <a href={linkTo('inbox', predicate.chain.proposal.proposalId)}>The card that was decided</a>
          </Fact>
          <Fact label="Subjects">
            <ul class="lines">
              {statement.subject.map((subject) => (
                <li key={subject.name}>
                  <Code text={subject.name} />
                  {Object.entries(subject.digest).map(([algorithm, digest]) => (
                    <Digest key={algorithm} of={`${algorithm}:${digest}`} />
                  ))}
                </li>
              ))}
            </ul>
          </Fact>
          <Fact label="Predicate">
            <Code text={statement.predicateType} />
          </Fact>
          {receipt.envelope.signatures.map((signature, i) => (
            <Fact key={i} label="Key">
              <Code text={signature.keyid ?? 'not named'} />
            </Fact>
          ))}
        </dl>
        <details class="raw">
          <summary>The statement as signed</summary>
          <pre tabIndex={0} role="region" aria-label="Statement">
            <Pieces pieces={prose(JSON.stringify(statement, null, 2))} />
          </pre>
        </details>
      </Part>
    </>
  );
};

const Part = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="part" aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
);

const Downloads = ({ receipt }: { receipt: Receipt }) => {
  const [problem, setProblem] = useState<string>();
  const saveEnvelope = async (): Promise<void> => {
    const envelope = await readEnvelope(receipt.receiptId);
    setProblem(envelope.ok ? undefined : `The envelope could not be downloaded. ${envelope.failure.detail}`);
    if (envelope.ok) saveAs(`receipt-${receipt.receiptId}.dsse.json`, 'application/vnd.dsse+json', envelope.value);
  };
  return (
    <>
      <div class="downloads">
        <button type="button" class="primary" onClick={() => void saveEnvelope()}>
          Download envelope (DSSE)
        </button>
        <button
          type="button"
          onClick={() => saveAs(`receipt-${receipt.receiptId}.json`, 'application/json', `${JSON.stringify(receipt.statement, null, 2)}\n`)}
        >
          Download statement (JSON)
        </button>
      </div>
      <p class="hint">
        The envelope carries the signature: <Code text="npm run verify-receipt -- FILE --key KEY" /> judges it without this server.
      </p>
      {problem && (
        <p class="problem" role="alert">
          <Prose text={problem} />
        </p>
      )}
    </>
  );
};
