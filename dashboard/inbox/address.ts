// The inbox's address: `?q=…&tab=…#m12`. Filters, tab and panel are parameters; the message that is
// open stands behind the `#`, so a link to it is a plain one.

import { navigate, useLocationProperty, usePathname } from 'wouter/use-browser-location';
import { useQueryParam } from '../ui/address.ts';

/** For the router: a parameter that changes leaves the open message alone. */
export function useInboxLocation(): [string, typeof navigate] {
  return [usePathname(), (to, options) => navigate(`${to}${location.hash}`, options)];
}

export function useOpenMessage(): number | undefined {
  const hash = useLocationProperty(() => location.hash);
  const id = /^#m(\d+)$/.exec(hash)?.[1];
  return id === undefined ? undefined : Number(id);
}

export function addressOfMessage(id: number): string {
  return `#m${id}`;
}

export function closeMessage(): void {
  if (location.hash !== '') navigate(location.pathname + location.search);
}

const filterNames = ['q', 'channel', 'sendId', 'app'] as const;

/** What the list is filtered by, as parameters of a request; empty without a filter. */
export function useFilters(): URLSearchParams {
  const [q] = useQueryParam('q');
  const [channel] = useQueryParam('channel');
  const [sendId] = useQueryParam('sendId');
  const [app] = useQueryParam('app');
  const given = { q, channel, sendId, app };
  return new URLSearchParams(
    filterNames.flatMap((name) => {
      const value = given[name]?.trim() ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );
}

export function clearFilters(): void {
  navigate(location.pathname + location.hash, { replace: true });
}
