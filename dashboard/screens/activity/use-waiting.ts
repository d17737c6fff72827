// How many sends came since the list was paused. It looks only while the list is paused.

import type { ArgumentsOf } from '../../api/client.ts';
import type { ListedSend } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../frame/session-context.tsx';

const everyMs = 5_000;
const countedMax = 100;

export function useWaiting(
  isPaused: boolean,
  query: ArgumentsOf<'listNotifications'>['query'],
  shown: readonly ListedSend[] | undefined,
): { readonly count: number; readonly isMore: boolean } {
  const app = useApp();
  const newest = shown?.[0];
  const { data } = useRead(
    'listNotifications',
    {
      path: { appId: app.id },
      query: {
        ...query,
        ...(newest === undefined ? {} : { from: newest.acceptedAt }),
        limit: countedMax,
      },
    },
    { enabled: isPaused, everyMs },
  );
  const known = new Set((shown ?? []).map(({ id }) => id));
  const fresh = isPaused ? (data?.items ?? []).filter(({ id }) => !known.has(id)) : [];
  return { count: fresh.length, isMore: fresh.length > 0 && data?.nextCursor !== null };
}
