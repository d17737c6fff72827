// Returns an archived campaign to lists.

import { campaignAction } from './campaign-routes.ts';

export const [unarchiveCampaign, unarchiveCampaignOfApp] = campaignAction('unarchive', {
  summary: 'Unarchive a campaign',
  description:
    'Returns an archived campaign to lists. A campaign that is not archived returns 200 as well. The request has no body.',
});
