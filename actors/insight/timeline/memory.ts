// What the timeline sees of a partition's memory. It keeps nothing in it.

import type { AppsOf } from '../../area.ts';
import type { SegmentsReads } from '../../audiences/segments/reads.ts';
import type { EventsReads } from '../../events/reads.ts';
import type { AudienceReads } from '../../people/audience/reads.ts';
import type { TopicsReads } from '../../people/topics/reads.ts';
import type { CampaignsReads } from '../../programs/campaigns/reads.ts';
import type { JourneysReads } from '../../programs/journeys/reads.ts';
import type { GateOrgView, GateReads } from '../../sending/gate/reads.ts';
import type { SendsReads } from '../../sending/outbox/reads.ts';
import type { AccountsReads, OrgsOf } from '../../tenants/accounts/reads.ts';

/** Of an app. */
export type TimelineView = AccountsReads &
  AudienceReads &
  Pick<EventsReads, 'nextEvent'> &
  SegmentsReads &
  TopicsReads &
  GateReads &
  SendsReads &
  CampaignsReads &
  JourneysReads;

/** Of a partition. */
export type TimelineMemory = AppsOf<TimelineView> & OrgsOf<GateOrgView>;
