// How long answers are kept, and what failed calls lead to: another try, or the door.

import { QueryClient } from '@tanstack/react-query';
import { ApiError, asApiError } from './errors.ts';
import { onReach } from './reach.ts';

const staleMs = 10_000;
const keptMs = 10 * 60_000;

export function makeQueryClient(onSignedOut: () => void): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: staleMs,
        gcTime: keptMs,
        retry: (count, error) => asApiError(error).status >= 500 && count < 2,
        networkMode: 'always',
        throwOnError: false,
      },
      mutations: { networkMode: 'always' },
    },
  });
  // What failed while nobody answered is asked for again as soon as somebody does.
  onReach((isReached) => {
    if (!isReached) return;
    void client.refetchQueries({
      type: 'active',
      predicate: ({ state }) => state.error !== null && asApiError(state.error).isOffline,
    });
  });
  const look = (error: unknown) => {
    if (error instanceof ApiError && error.status === 401) onSignedOut();
  };
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.state.status === 'error') look(query.state.error);
  });
  client.getMutationCache().subscribe((event) => {
    // The cache reports a failed change again at every render; only its `error` action is new.
    if (event.type !== 'updated' || event.action.type !== 'error') return;
    look(event.action.error);
  });
  return client;
}
