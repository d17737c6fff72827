// In-app messages in memory, with their beacons.

import type { NewApp, Slice } from '../../area.ts';
import { InAppMessages, type InAppSnapshot } from './in-app-messages.ts';

export interface InAppApp {
  readonly inApp: InAppMessages;
}

type Snapshot = { readonly inApp: readonly InAppSnapshot[] };

export const inAppOfApp: Slice<InAppApp, Snapshot, NewApp> = {
  make: () => ({ inApp: new InAppMessages() }),
  snapshot: ({ inApp }) => ({ inApp: inApp.snapshot() }),
  restore: ({ inApp }) => ({ inApp: InAppMessages.restore(inApp) }),
};
