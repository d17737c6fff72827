// What the log says of campaigns. Apart from `protocol.ts`, as whoever reads the log needs the entries alone.

import type { Entry } from '../../engine/actor/message.ts';
import type { CampaignRecord } from './records.ts';

export type CampaignsEntry =
  /** Made, changed, or moved to another state; whole, as it is now. */
  | (Entry & { readonly kind: 'campaign.saved'; readonly campaign: CampaignRecord })
  | (Entry & { readonly kind: 'campaign.deleted'; readonly id: string });
