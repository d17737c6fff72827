// Puts a campaign away, with its stats.

import { campaignAction } from './campaign-routes.ts';

export const [archiveCampaign, archiveCampaignOfApp] = campaignAction('archive', {
  summary: 'Archive a campaign',
  description:
    'Removes a draft, completed, canceled or failed campaign from lists, unless they ask for archived ones. Its stats stay, and late opens and clicks still count. Archiving it again returns 200. A scheduled, sending or paused campaign is a 409; so is sending an archived draft. The request has no body.',
});
