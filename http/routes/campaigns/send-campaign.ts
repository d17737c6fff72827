// Sends a campaign, now or as scheduled. A second call never sends twice: only a draft can be sent.

import { z } from 'zod';
import { integerRange } from '../../../actors/integer-range.ts';
import { limits } from '../../../actors/limits.ts';
import { secondMs } from '../../../engine/base/brand.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { present } from '../../call/answer/present.ts';
import { campaignAction } from './campaign-routes.ts';

const sendBody = z
  .object({
    dryRunId: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe(
        'Id of a dry run. The campaign is sent only if its audience still matches the dry run and the campaign has not been changed since.',
      ),
    confirmWarnings: z
      .boolean()
      .nullish()
      .describe('Sends even if `warnings` lists misspelled fields; without it, that is a 409.'),
    delaySeconds: integerRange(0, limits.sendDelaySecondsMax)
      .optional()
      .describe(
        'The campaign starts sending after this many seconds. Until then it is `scheduled`, and `unschedule` undoes the send. Default 0: immediately.',
      ),
    tolerance: integerRange(0, limits.campaignToleranceMax)
      .optional()
      .describe(
        'With `dryRunId`: how many people may have joined or left the audience since. Default 0.',
      ),
  })
  .meta({ examples: [{}] });

export const [sendCampaign, sendCampaignOfApp] = campaignAction(
  'send',
  {
    summary: 'Send a campaign',
    description:
      'Sends a draft. The state becomes `sending`, or `scheduled` if the schedule is in the future or recurring, or with `delaySeconds`. Any other state is a 409, so a repeated request cannot send twice. The body is optional.',
    body: sendBody,
  },
  ({ dryRunId, tolerance, confirmWarnings, delaySeconds = 0 }) => {
    if (tolerance !== undefined && dryRunId === undefined)
      throw new FaultError(fieldFault('dryRunId', 'is missing; tolerance needs it'));
    const delayMs = delaySeconds === 0 ? undefined : delaySeconds * secondMs;
    return present({ dryRunId, tolerance, confirmWarnings: confirmWarnings ?? undefined, delayMs });
  },
);
