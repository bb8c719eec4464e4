import { useCallback, useEffect, useState } from 'preact/hooks';
import { readPermission, type Named, type Permission } from '../api.js';
import { BackToInbox, Next } from '../inbox/card-ending.js';
import { type Item } from '../inbox/item.js';
import { type Failure } from '../request.js';
import { Missing } from '../shown/missing.js';
import { Notice } from '../shown/notice.js';
import { Prose } from '../shown/text.js';
import { type Happened } from '../state.js';
import { PermissionBar } from './permission-bar.js';
import { PermissionView } from './permission-view.js';
import { endingOf, placeOf } from './permission-words.js';

type Props = { id: string; known?: Permission; gone: boolean; next?: Item; workspaces: Named[]; happened: (event: Happened) => void };

/** One request: as the feed last told it, and read where the feed has not. */
export const PermissionPage = ({ id, known, gone, next, workspaces, happened }: Props) => {
  const [read, setRead] = useState<Permission>();
  const [failure, setFailure] = useState<Failure>();
  const [mine, setMine] = useState(false);
  const reread = useCallback(async (): Promise<void> => {
    const answer = await readPermission(id);
    setFailure(answer.ok ? undefined : answer.failure);
    if (!answer.ok) return;
    setRead(answer.value);
    happened({ type: 'permission_read', data: { permission: answer.value } });
  }, [id]);
  useEffect(() => void reread(), [gone]);

  const request = known ?? read;
  if (!request)
    return (
      <article class="card" aria-busy={!failure}>
        <BackToInbox />
        <Missing what="request" failure={failure} onRetry={() => void reread()} />
      </article>
    );
  const over = gone || request.status !== 'pending';
  const ending = endingOf(request, mine);
  return (
    <article class="card" aria-labelledby="card-title">
      <BackToInbox />
      <PermissionView request={request} over={over} workspace={placeOf(request, workspaces)}>
        {over && (
          <Notice tone={ending.tone} title={ending.title} takesFocus>
            <p>
              <Prose text={ending.detail} />
            </p>
            {request.feedback && (
              <blockquote>
                <Prose text={request.feedback} />
              </blockquote>
            )}
            <p class="notice-next">{next && <Next item={next} />}</p>
          </Notice>
        )}
      </PermissionView>
      <PermissionBar request={request} over={over} reread={reread} onMine={setMine} />
    </article>
  );
};
