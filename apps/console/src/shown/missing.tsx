import { type Failure } from '../request.js';
import { Notice } from './notice.js';

/** In the place of a thing that is being read, does not exist, or could not be read. */
export const Missing = ({ what, failure, onRetry }: { what: string; failure?: Failure; onRetry: () => void }) => {
  if (!failure) return <p class="hint">Reading the {what}…</p>;
  const none = failure.status === 404;
  return (
    <Notice tone="warn" title={none ? `There is no such ${what}` : `The ${what} could not be read`} alert>
      <p>{none ? 'It does not exist, or you may not see it.' : failure.detail}</p>
      {!none && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </Notice>
  );
};
