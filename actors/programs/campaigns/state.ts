// What memory holds of campaigns.

import type { NewApp, Slice } from '../../area.ts';
import { Campaigns, type CampaignsSnapshot } from './campaigns.ts';
import { ReadingHours, type ReadingHoursSnapshot } from './reading-hours.ts';
import { Sending, type SendingSnapshot } from './sending.ts';

export interface CampaignsApp {
  readonly campaigns: Campaigns;
  /** Their occurrences and waves. */
  readonly sending: Sending;
  /** When people open and click. */
  readonly readingHours: ReadingHours;
}

interface Snapshot {
  readonly campaigns: CampaignsSnapshot;
  readonly sending: SendingSnapshot;
  readonly readingHours: ReadingHoursSnapshot;
}

export const campaignsOfApp: Slice<CampaignsApp, Snapshot, NewApp> = {
  make: () => ({
    campaigns: new Campaigns(),
    sending: new Sending(),
    readingHours: new ReadingHours(),
  }),
  snapshot: ({ campaigns, sending, readingHours }) => ({
    campaigns: campaigns.snapshot(),
    sending: sending.snapshot(),
    readingHours: readingHours.snapshot(),
  }),
  restore: ({ campaigns: records, sending, readingHours }) => {
    const campaigns = Campaigns.restore(records);
    return {
      campaigns,
      sending: Sending.restore(sending, campaigns),
      readingHours: ReadingHours.restore(readingHours),
    };
  },
};
