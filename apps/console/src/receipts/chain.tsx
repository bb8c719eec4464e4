import { type ComponentChildren } from 'preact';
import { type Chain as Steps, type Evidence, type Holder } from '../api.js';
import { Code, Name, Prose } from '../shown/text.js';
import { At } from '../shown/time.js';
import { capital, plural, provenance } from '../words.js';
import { Digest, Fact } from './fact.js';

/** From proposal to shipped: who, when, and the digest that ties each step to the last. */
export const Chain = ({ chain: { proposal, decision, mutation, work, lease, report, verdict, shipped } }: { chain: Steps }) => (
  <ol class="chain">
    <Step name="Proposed" by={proposal.agent.name} at={proposal.submittedAt}>
      <Fact label="Operation">
        <Code text={proposal.operation} />
      </Fact>
      <Fact label="For">
        <Name of={proposal.requester} />
      </Fact>
      <Fact label="Action digest">
        <Digest of={proposal.actionDigest} />
      </Fact>
    </Step>
    <Step name="Approved" by={decision.by.name} at={decision.at}>
      <Fact label="Shown digest">
        <Digest of={decision.presentedDigest} />
      </Fact>
    </Step>
    <Step name="Carried out" at={mutation.at}>
      <Fact label="Queued to">
        <Code text={work.queue} />
      </Fact>
    </Step>
    <Step name="Leased" by={heldBy(lease.holder)} at={lease.at}>
      <Fact label="Fence">{lease.fence}</Fact>
      <Fact label="Scope digest">
        <Digest of={lease.scopeDigest} />
      </Fact>
    </Step>
    <Step name="Reported" by={report.by.name} at={report.at}>
      <Fact label="Commit">
        <Code text={report.content.revision} />
      </Fact>
      <Fact label={plural(report.content.artifacts.length, 'artifact')}>
        {report.content.artifacts.length === 0 ? (
          <span class="nothing">none</span>
        ) : (
          <ul class="lines">
            {report.content.artifacts.map((artifact) => (
              <li key={artifact.sha256}>
                <Code text={artifact.path ?? artifact.uri ?? ''} />
                <Digest of={artifact.sha256} />
              </li>
            ))}
          </ul>
        )}
      </Fact>
      <Fact label="Report digest">
        <Digest of={report.reportDigest} />
      </Fact>
    </Step>
    <Step name={capital(verdict.verdict)} by={heldBy(verdict.by)} at={verdict.at}>
      <Fact label="Evidence">
        <ul class="lines">
          {verdict.evidence.map((atom, i) => (
            <li key={i}>
              <Code text={atom.check} />: {evidenceOf(atom)}
            </li>
          ))}
        </ul>
      </Fact>
      <Fact label="Of report">
        <Digest of={verdict.reportDigest} />
      </Fact>
    </Step>
    <Step name="Shipped" at={shipped.at}>
      <Fact label="By">
        <Code text={shipped.by} />
      </Fact>
      <Fact label="Revision">
        <Code text={shipped.revision} />
      </Fact>
      <Fact label="Tree">
        <Code text={shipped.tree} />
      </Fact>
      {shipped.url && (
        <Fact label="Where">
          <Code text={shipped.url} />
        </Fact>
      )}
    </Step>
  </ol>
);

const Step = ({ name, by, at, children }: { name: string; by?: string; at: string; children: ComponentChildren }) => (
  <li class="step">
    <h3>
      {name}
      {by && (
        <>
          {' by '}
          <Prose text={by} />
        </>
      )}
      <span class="faint">
        <At time={at} />
      </span>
    </h3>
    <dl class="facts">{children}</dl>
  </li>
);

const heldBy = ({ name, model }: Holder): string => (model ? `${name} (${model})` : name);
const evidenceOf = ({ status, testsRun, provenance: source }: Evidence): string =>
  [status, ...(testsRun === undefined ? [] : [plural(testsRun, 'test')]), provenance(source)].join(', ');
