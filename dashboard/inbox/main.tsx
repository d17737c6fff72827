// Starts the sandbox's inbox.

import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { loadPopupsBy } from '../ui/above-page.ts';
import { listenToKeys } from '../ui/keys.ts';
import { late } from '../ui/late.tsx';
import { useInboxLocation } from './address.ts';
import { Inbox } from './inbox.tsx';

const Tips = late(() => import('../ui/popups.tsx').then((file) => file.TipPopup));
const Toasts = late(() => import('../ui/popups.tsx').then((file) => file.ToastCorner));

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
          <Tips />
          <Toasts />
        </Router>
      </QueryClientProvider>
    </CSPProvider>
  );
}

const place = document.getElementById('root');
loadPopupsBy(() => import('../ui/popups.tsx'));
if (place !== null) createRoot(place).render(<Page />);
