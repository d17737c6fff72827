// Lets a paused campaign go on from the exact place.

import { campaignAction } from './campaign-routes.ts';

export const [resumeCampaign, resumeCampaignOfApp] = campaignAction('resume', {
  summary: 'Resume a campaign',
  description:
    'Back to the state that it was paused in. Nobody is skipped and nobody gets it twice. Takes no body.',
});
