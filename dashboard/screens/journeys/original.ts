// Which journey a copy was made from. The API does not keep it, so the address and the browser do.

import type { Journey } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { useQueryParam } from '../../ui/address.ts';

const storeKey = (id: string) => `engage.journey.of.${id}`;

export function rememberOriginal(id: string, original: string): void {
  localStorage.setItem(storeKey(id), original);
}

/** `undefined` for a journey that is no copy, or whose original is gone. */
export function useOriginal(id: string | undefined): Journey | undefined {
  const app = useApp();
  const [named] = useQueryParam('of');
  const kept = id === undefined ? undefined : (localStorage.getItem(storeKey(id)) ?? undefined);
  const original = named ?? kept;
  const isOther = original !== undefined && original !== id;
  const { data } = useRead(
    'readJourney',
    { path: { appId: app.id, id: original ?? '' } },
    { enabled: isOther },
  );
  return isOther ? data : undefined;
}
