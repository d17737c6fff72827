// What counts as a change of a campaign for those who edit it: what they choose, and its state. The
// progress of its occurrences makes no edit stale.

import type { Editable, EditableOf } from '../../area.ts';
import type { CampaignsMemory } from './memory.ts';
import { campaignEtag } from './records.ts';

const campaignOf = (
  { apps }: CampaignsMemory,
  { id }: { readonly id: string },
  { owner }: { readonly owner: number },
): Editable | undefined => {
  const record = apps.get(owner)?.campaigns.get(id);
  return record && { key: id, etag: campaignEtag(record), changedMs: record.updatedMs };
};

export const campaignEdits = {
  'campaign.update': campaignOf,
  'campaign.send': campaignOf,
  'campaign.unschedule': campaignOf,
  'campaign.pause': campaignOf,
  'campaign.resume': campaignOf,
  'campaign.cancel': campaignOf,
  'campaign.archive': campaignOf,
  'campaign.unarchive': campaignOf,
} satisfies Record<string, EditableOf<CampaignsMemory>>;

export const campaignEnds = {
  'campaign.delete': campaignOf,
} satisfies Record<string, EditableOf<CampaignsMemory>>;
