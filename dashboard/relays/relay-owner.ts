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

/** `appId` is empty for the org's, also on a page of an app: their operations name no app. */
export function useRelayPlace() {
  const place = useContext(RelayPlaceContext);
  const app = useContext(AppContext);
  const appId = place.owner === 'app' ? (app?.id ?? '') : '';
  return { ...place, appId, operations: relayOperations[place.owner] };
}

/** Both take the same arguments, but for the app in the path. */
export const relayOperations = {
  app: {
    create: 'createRelay',
    update: 'updateRelay',
    remove: 'deleteRelay',
    check: 'checkRelay',
    try: 'tryRelay',
  },
  org: {
    create: 'createSharedRelay' as 'createRelay',
    update: 'updateSharedRelay' as 'updateRelay',
    remove: 'deleteSharedRelay' as 'deleteRelay',
    check: 'checkSharedRelay' as 'checkRelay',
    try: 'trySharedRelay' as 'tryRelay',
  },
} as const;
