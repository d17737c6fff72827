// Takes a scheduled campaign back to a draft.

import { campaignAction } from './campaign-routes.ts';

export const [unscheduleCampaign, unscheduleCampaignOfApp] = campaignAction('unschedule', {
  summary: 'Unschedule a campaign',
  description:
    'Takes a `scheduled` campaign back to `draft`, to change it and send it again. A recurring campaign can also be unscheduled between two occurrences: the stats of its past occurrences stay, and the next `send` continues their numbers. Any other state is a 409, also while an occurrence is being sent. The request has no body.',
});
