// Starts the sandbox's inbox.

import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { Above } from '../frame/above.tsx';
import { listenToKeys } from '../ui/keys.ts';
import { useInboxLocation } from './address.ts';
import { Inbox } from './inbox.tsx';

/** The stream says what is stale; asking again by the clock would only hide where it does not. */
const client = new QueryClient({
  defaultOptions: {
    queries: { staleTime: Number.POSITIVE_INFINITY, retry: false, networkMode: 'always' },
  },
});

function Page() {
  useEffect(listenToKeys, []);
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={client}>
        <Router hook={useInboxLocation}>
          <Inbox />
          <Above />
        </Router>
      </QueryClientProvider>
    </CSPProvider>
  );
}

const place = document.getElementById('root');
if (place !== null) createRoot(place).render(<Page />);
