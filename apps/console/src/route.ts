import { useEffect, useState } from 'preact/hooks';

/** Where one is: kept in the fragment, so that a card's address works on any server of static files. */
export type Route = { page: 'inbox' | 'work' | 'receipts' | 'grants'; id?: string };

export const parseRoute = (hash: string): Route => {
  const [page, id] = hash.replace(/^#\/?/, '').split('/');
  if (page !== 'work' && page !== 'receipts' && page !== 'grants')
    return { page: 'inbox', ...(page === 'inbox' && id ? { id: decoded(id) } : {}) };
  return { page, ...(id ? { id: decoded(id) } : {}) };
};
export const linkTo = (page: Route['page'], id?: string): string => `#/${page}${id ? `/${encodeURIComponent(id)}` : ''}`;
export const goTo = (page: Route['page'], id?: string): void => void (location.hash = linkTo(page, id));

export const useRoute = (): Route => {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const changed = (): void => setRoute(parseRoute(location.hash));
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return route;
};

const decoded = (id: string): string => {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
};
