import { type WorkScope } from '../api.js';
import { Code, Prose } from '../shown/text.js';
import { commandLine } from '../words.js';

/** The work that approving queues: nothing later can widen it, so all of it is here. */
export const Scope = ({ work }: { work: WorkScope }) => (
  <section class="part" aria-labelledby="scope-title">
    <h2 id="scope-title">Work this queues</h2>
    <dl class="facts">
      {work.queue && (
        <>
          <dt>Queue</dt>
          <dd>
            <Code text={work.queue} />
          </dd>
        </>
      )}
      <dt>Repository</dt>
      <dd>
        <Code text={work.repository} />
      </dd>
      <dt>Base revision</dt>
      <dd>
        <Code text={work.baseRevision} />
      </dd>
      <dt>May change</dt>
      <dd>
        <Lines items={work.paths} none="no path" />
      </dd>
      <dt>May run</dt>
      <dd>
        <Lines items={work.commands.map(commandLine)} none="no command" />
      </dd>
      <dt>Must pass</dt>
      <dd>
        <Lines items={work.checks.map(commandLine)} none="no check" />
      </dd>
      <dt>Accepted when</dt>
      <dd>
        {work.criteria.length === 0 ? (
          <span class="nothing">no criterion</span>
        ) : (
          <ul>
            {work.criteria.map((criterion, i) => (
              <li key={i}>
                <Prose text={criterion} />
              </li>
            ))}
          </ul>
        )}
      </dd>
      {work.scopeDigest && (
        <>
          <dt>Scope digest</dt>
          <dd>
            <Code text={work.scopeDigest} />
          </dd>
        </>
      )}
    </dl>
  </section>
);

const Lines = ({ items, none }: { items: string[]; none: string }) =>
  items.length === 0 ? (
    <span class="nothing">{none}</span>
  ) : (
    <ul class="lines">
      {items.map((item, i) => (
        <li key={i}>
          <Code text={item} />
        </li>
      ))}
    </ul>
  );
