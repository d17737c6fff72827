// What memory holds of journeys; and what journeys see of a partition's memory.

import type { AppsOf, NewApp, Slice } from '../../area.ts';
import type { SegmentsReads } from '../../audiences/segments/reads.ts';
import type { TemplatesReads } from '../../content/templates/reads.ts';
import type { AudienceReads } from '../../people/audience/reads.ts';
import type { TopicsReads } from '../../people/topics/reads.ts';
import type { CapsFolds, GateOrgView, GateReads, InFlight } from '../../sending/gate/reads.ts';
import type { MailboxesReads } from '../../sending/mailboxes/reads.ts';
import type {
  ReadyFolds,
  SendsFolds,
  SendsReads,
  SentTodayFolds,
} from '../../sending/outbox/reads.ts';
import type { WarmUpReads } from '../../sending/warm-up/reads.ts';
import type { AccountsReads, OrgsOf } from '../../tenants/accounts/reads.ts';
import { Journeys, type JourneysSnapshot } from './journeys.ts';

export interface JourneysApp {
  readonly journeys: Journeys;
}

type Snapshot = { readonly journeys: JourneysSnapshot };

export const journeysOfApp: Slice<JourneysApp, Snapshot, NewApp> = {
  make: () => ({ journeys: new Journeys() }),
  snapshot: ({ journeys }) => ({ journeys: journeys.snapshot() }),
  restore: ({ journeys }) => ({ journeys: Journeys.restore(journeys) }),
};

/** Of an app. */
export type JourneysView = JourneysApp &
  InFlight &
  AccountsReads &
  AudienceReads &
  SegmentsReads &
  TemplatesReads &
  TopicsReads &
  GateReads &
  CapsFolds &
  MailboxesReads &
  SendsReads &
  SendsFolds &
  WarmUpReads;

/** Of a partition. */
export type JourneysMemory = AppsOf<JourneysView> &
  OrgsOf<SentTodayFolds & GateOrgView> &
  ReadyFolds;
