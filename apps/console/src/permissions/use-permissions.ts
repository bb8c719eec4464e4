import { useEffect, useRef } from 'preact/hooks';
import { listPermissions } from '../api.js';
import { type Happened } from '../state.js';

const AGAIN_MS = 15_000;

/**
 * Reads what is pending whenever the feed begins, which does not list it, and now and then for what ends by time alone.
 * `asked` counts what the feed said: what it says during a reading is newer than that reading.
 */
export const usePermissions = (live: boolean, asked: number, happened: (event: Happened) => void): void => {
  const heard = useRef(asked);
  heard.current = asked;
  useEffect(() => {
    if (!live) return;
    const read = async (): Promise<void> => {
      const before = heard.current;
      const answer = await listPermissions();
      if (answer.ok) happened({ type: 'permissions_read', data: { ...answer.value, asked: before } });
    };
    void read();
    const timer = setInterval(() => void read(), AGAIN_MS);
    return () => clearInterval(timer);
  }, [live]);
};
