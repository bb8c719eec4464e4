import { useNow } from '../clock.js';
import { type Connection } from '../live.js';
import { age } from '../words.js';

const WORDS: Record<Connection['state'], string> = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Reconnecting',
  'signed-out': 'Signed out',
};

/** Always on screen: whether what is shown is what is. */
export const ConnectionState = ({ connection }: { connection: Connection }) => (
  <span class="connection" data-state={connection.state}>
    <span class="dot" aria-hidden="true" />
    <span class="unseen">Connection: </span>
    {WORDS[connection.state]}
  </span>
);

export const ConnectionBanner = ({ connection, onRetry }: { connection: Connection; onRetry: () => void }) =>
  connection.state === 'lost' ? <Lost connection={connection} onRetry={onRetry} /> : null;

const Lost = ({ connection, onRetry }: { connection: Connection & { state: 'lost' }; onRetry: () => void }) => {
  useNow();
  const wait = Math.ceil((connection.retryAt - Date.now()) / 1000);
  return (
    <div class="banner" role="region" aria-label="Connection lost">
      <p>
        <strong>Connection lost {age(Date.now() - connection.since)} ago.</strong> What you see may be out of date. {connection.why}{' '}
        {wait > 0 ? `Trying again in ${wait} s.` : 'Trying again now…'}
      </p>
      <button type="button" onClick={onRetry}>
        Try now
      </button>
    </div>
  );
};
