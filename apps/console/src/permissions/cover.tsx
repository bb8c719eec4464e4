import { type GrantPreview, type GrantScope, type Named, type Permission } from '../api.js';
import { Fact } from '../receipts/fact.js';
import { Code, Name, Prose } from '../shown/text.js';
import { commandLine, plural } from '../words.js';

/** What remembering would cover, and would have covered. */
export const Cover = ({ preview, agent }: { preview: GrantPreview; agent: Named }) => (
  <>
    {!preview.grantable && (
      <p class="problem">
        This can be approved once only. <Prose text={preview.ungrantable ?? ''} />
      </p>
    )}
    {preview.scopes.map((scope, i) => (
      <div key={i} class="command">
        <Scope scope={scope} />
      </div>
    ))}
    <p>
      <Name of={agent} /> then runs such calls without asking you, until the grant runs out or you revoke it.
    </p>
    <p>
      In the last {preview.days} days this would have covered {preview.covered} of {plural(preview.calls, 'call')}.
    </p>
    {preview.denied > 0 && (
      <div class="warnings">
        <p>You rejected {preview.denied} of them:</p>
        <Commands of={preview.deniedCalls} />
      </div>
    )}
    {preview.covered > preview.denied && (
      <details class="raw">
        <summary>Calls that it would have covered</summary>
        <Commands of={preview.coveredCalls} />
      </details>
    )}
  </>
);

/** The words that a call has to begin with, and what else it has to keep to. */
export const Scope = ({ scope }: { scope: GrantScope }) => (
  <>
    <p>
      <Code text={scope.prefix.join(' ')} />
    </p>
    <dl class="facts">
      <Fact label="Tool">
        <Code text={scope.tool} />
      </Fact>
      <Fact label="At most">
        <Prose text={scope.tier} />: <Code text={scope.effects.join(', ')} />
      </Fact>
      {Object.entries(scope.constraints).map(([name, values]) => (
        <Fact key={name} label={`Only ${name}`}>
          <Code text={name === 'exact' ? commandLine(values) : values.join(', ')} />
        </Fact>
      ))}
    </dl>
  </>
);

const Commands = ({ of }: { of: Permission[] }) => (
  <ul class="lines">
    {of.map((call) => (
      <li key={call.id}>
        <Code text={call.command} />
      </li>
    ))}
  </ul>
);
