// Ends a campaign for good.

import { campaignAction } from './campaign-routes.ts';

export const [cancelCampaign, cancelCampaignOfApp] = campaignAction('cancel', {
  summary: 'Cancel a campaign',
  description:
    'Nothing more leaves. One that is canceled already stays so, with 200; one that is completed or failed is a 409. Takes no body.',
});
