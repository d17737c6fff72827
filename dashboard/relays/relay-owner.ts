// Whose relays are shown, and of which channel. They belong to an app, or to its org, which shares
// them: the same operations under two names.

import { createContext, useContext } from 'react';
import type { Relay } from '../api/generated.ts';
import { AppContext } from '../api/session-context.tsx';

export type RelayOwner = 'app' | 'org';

interface RelayPlace {
  readonly owner: RelayOwner;
  readonly channel: Relay['channel'];
}

export const RelayPlaceContext = createContext<RelayPlace>({ owner: 'app', channel: 'email' });

/** `appId` is empty on a page of the org: its operations name no app. */
export function useRelayPlace() {
  const place = useContext(RelayPlaceContext);
  const appId = useContext(AppContext)?.id ?? '';
  return { ...place, appId, operations: relayOperations[place.owner] };
}

/** Both take the same arguments, but for the app in the path. */
export const relayOperations = {
  app: { create: 'createRelay', update: 'updateRelay', remove: 'deleteRelay', check: 'checkRelay' },
  org: {
    create: 'createSharedRelay' as 'createRelay',
    update: 'updateSharedRelay' as 'updateRelay',
    remove: 'deleteSharedRelay' as 'deleteRelay',
    check: 'checkSharedRelay' as 'checkRelay',
  },
} as const;
