// Shows what a campaign sends, for one person, from the copy that it keeps.

import { z } from 'zod';
import type { CampaignPreviewProtocol } from '../../../actors/programs/campaigns/preview-protocol.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { exampleOf } from '../../call/schemas/schemas.ts';
import {
  keptMails,
  previewFields,
  previewResponse,
  previewView,
} from '../messages/preview-shape.ts';

const campaignPreviewSchema = previewResponse.schema
  .extend({
    isCopy: z
      .boolean()
      .describe(
        '`true`: the copy of the message that the occurrence sends, without later edits. `false`: the current message, because no occurrence has begun.',
      ),
    occurrence: z
      .int()
      .nullable()
      .describe('The occurrence that is shown; `null` before the first.'),
    languages: z.array(z.string()).describe('The localizations of the message.'),
  })
  .meta({
    id: 'CampaignPreview',
    examples: [
      { ...exampleOf(previewResponse.schema), isCopy: true, occurrence: 1, languages: ['de'] },
    ],
  });

export const previewCampaign = route({
  method: 'POST',
  path: '/v1/apps/:appId/campaigns/:id/preview',
  summary: 'Preview a campaign',
  description:
    'What the campaign sends on each of its channels, rendered for one person; nothing is sent. Like the preview of a message, but with the copy that an occurrence keeps, so later edits of the message do not show. The copy of the newest occurrence is kept as long as the campaign, and those of earlier ones for 30 days after their end. Suppressions, caps and credentials are not checked.',
  tag: 'Campaigns',
  access: key('read'),
  reads: ['campaign', 'message', 'subscriber'],
  params: { id: 'Campaign id.' },
  body: z
    .object({
      ...previewFields,
      variant: z.string().nullish().describe('The id of a variant; the first if omitted.'),
      occurrence: z.int().min(1).nullish().describe('Its number; the newest if omitted.'),
    })
    .meta({ examples: [{ externalUserId: 'customer-42' }, { channel: 'email' }] }),
  responses: { 200: { description: 'One item per channel.', schema: campaignPreviewSchema } },
  refusals: [409],
  async handle(call) {
    const { variant, occurrence, ...asked } = call.body;
    const app = call.app();
    const { items, languages, ...rest } = await call
      .to<CampaignPreviewProtocol>(app)
      .ask('campaign.preview', {
        id: call.param('id'),
        ...previewView(asked),
        ...present({ variant: variant ?? undefined, occurrence: occurrence ?? undefined }),
      });
    const body = { items: keptMails(call, app, items), ...rest, languages: [...languages] };
    return { status: 200, body };
  },
});
