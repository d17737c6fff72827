// Takes an archived campaign back into lists.

import { campaignAction } from './campaign-routes.ts';

export const [unarchiveCampaign, unarchiveCampaignOfApp] = campaignAction('unarchive', {
  summary: 'Unarchive a campaign',
  description:
    'Takes an archived campaign back into lists. A campaign that is not archived returns 200 as well. The request has no body.',
});
