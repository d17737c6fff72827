// Pauses a campaign, mid-flight or before its next occurrence.

import { campaignAction } from './campaign-routes.ts';

export const [pauseCampaign, pauseCampaignOfApp] = campaignAction('pause', {
  summary: 'Pause a campaign',
  description:
    'Pauses a scheduled or sending campaign; any other state is a 409. Messages already handed to a provider still go out. The request has no body.',
});
