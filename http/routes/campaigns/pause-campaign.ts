// Holds a campaign where it is, mid-flight or before its next occurrence.

import { campaignAction } from './campaign-routes.ts';

export const [pauseCampaign, pauseCampaignOfApp] = campaignAction('pause', {
  summary: 'Pause a campaign',
  description:
    'One that is scheduled or sending; 409 for any other. Nothing more leaves but what a provider has been asked to take already. Takes no body.',
});
