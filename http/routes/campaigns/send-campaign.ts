// Sends a campaign, now or as it is scheduled. A second call never sends twice: by then it is no
// draft any more.

import { z } from 'zod';
import { integerRange } from '../../../actors/integer-range.ts';
import { limits } from '../../../actors/limits.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { present } from '../../present.ts';
import { campaignAction } from './campaign-routes.ts';

const sendBody = z
  .object({
    dryRunId: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe(
        'Of a dry run: send only if the audience is still the one that it showed, and the campaign was not changed since.',
      ),
    tolerance: integerRange(0, limits.campaignToleranceMax)
      .optional()
      .describe('With `dryRunId`: how many people may have come or gone since. 0 unless given.'),
  })
  .meta({ examples: [{}] });

export const [sendCampaign, sendCampaignOfApp] = campaignAction(
  'send',
  {
    summary: 'Send a campaign',
    description:
      'A draft only: `sending` at once, or `scheduled` where its schedule lies ahead or recurs. Anything else is a 409, so a call that is repeated cannot send twice. The body may be left out.',
    body: sendBody,
  },
  ({ dryRunId, tolerance }) => {
    if (tolerance !== undefined && dryRunId === undefined)
      throw new FaultError(fieldFault('dryRunId', 'is missing; tolerance goes with it'));
    return present({ dryRunId, tolerance });
  },
);
