// Ends a campaign for good.

import { campaignAction } from './campaign-routes.ts';

export const [cancelCampaign, cancelCampaignOfApp] = campaignAction('cancel', {
  summary: 'Cancel a campaign',
  description:
    'Stops all further sends. Canceling a canceled campaign again returns 200; a completed or failed campaign is a 409. The request has no body.',
});
