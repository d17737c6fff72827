// Resumes a paused campaign where it stopped.

import { campaignAction } from './campaign-routes.ts';

export const [resumeCampaign, resumeCampaignOfApp] = campaignAction('resume', {
  summary: 'Resume a campaign',
  description:
    'Returns the campaign to the state it was paused in. Nobody is skipped, and nobody gets the message twice. The request has no body.',
});
