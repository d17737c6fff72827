// Relays belong to an app, or to its org, which shares them: the same operations under two names.

import { createContext, useContext } from 'react';

export type RelayOwner = 'app' | 'org';

export const RelayOwnerContext = createContext<RelayOwner>('app');

export function useRelayOwner(): RelayOwner {
  return useContext(RelayOwnerContext);
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
