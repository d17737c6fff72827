// In-app messages in memory, with their beacons; and what in-app messages see of a partition's
// memory.

import type { AppsOf, NewApp, Slice } from '../../area.ts';
import type { MessagesReads } from '../../content/messages/reads.ts';
import type { TemplatesReads } from '../../content/templates/reads.ts';
import type { AudienceReads } from '../../people/audience/reads.ts';
import type { AccountsReads } from '../../tenants/accounts/reads.ts';
import type { SegmentsReads } from '../segments/reads.ts';
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

export type InAppMessagesView = InAppApp &
  AccountsReads &
  AudienceReads &
  MessagesReads &
  SegmentsReads &
  TemplatesReads;

export type InAppMessagesMemory = AppsOf<InAppMessagesView>;
