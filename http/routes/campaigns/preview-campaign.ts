// Shows what a campaign sends, for one person, from the copy that it keeps.

import { z } from 'zod';
import {
  type CheckedMail,
  contentChecks,
  mailCheckNames,
} from '../../../actors/channels/email/mail-checks.ts';
import type { PreviewItem } from '../../../actors/content/messages/protocol.ts';
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
import { senderChecks } from './sender-checks.ts';

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
    checks: z
      .array(
        z.object({
          check: z.enum(mailCheckNames),
          state: z.enum(['done', 'not_done', 'unknown']),
          about: z.string().describe('What was seen, as a sentence.'),
        }),
      )
      .optional()
      .describe(
        'With `checks: true`, if the campaign sends this email: what mailbox providers ask of it. `sender`: its domain is verified. `dkim`, `spf`, `dmarc`: the DNS records, looked up now or in the last five minutes. `alignment`: the signature, or the return path, is of the domain of the sender; all three for each relay that may send it. `link_name`: the name of links leads to this server; absent where there is none. `one_click`: the header to unsubscribe. `size`: the HTML has at most 102 KB. `https_links`, `image_text`: links over https, images with an alternative text. `text_part`: the text part says what the HTML says. `unknown`: the DNS gave no answer, or a mail service decides. None of them prevents a send.',
      ),
  })
  .meta({
    id: 'CampaignPreview',
    examples: [
      {
        ...exampleOf(previewResponse.schema),
        isCopy: true,
        occurrence: 1,
        languages: ['de'],
        checks: [
          {
            check: 'size',
            state: 'done',
            about: 'The HTML has 14 KB; Gmail cuts it off at 102 KB.',
          },
        ],
      },
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
      checks: z
        .boolean()
        .default(false)
        .describe(
          'Whether to check the email, which looks up DNS records and may take up to ten seconds.',
        ),
      occurrence: z.int().min(1).nullish().describe('Its number; the newest if omitted.'),
    })
    .meta({
      examples: [{ externalUserId: 'customer-42' }, { channel: 'email', checks: true }],
    }),
  responses: { 200: { description: 'One item per channel.', schema: campaignPreviewSchema } },
  refusals: [409],
  async handle(call) {
    const { variant, occurrence, checks: isChecked, ...asked } = call.body;
    const app = call.app();
    const { items, languages, ...rest } = await call
      .to<CampaignPreviewProtocol>(app)
      .ask('campaign.preview', {
        id: call.param('id'),
        ...previewView(asked),
        ...present({ variant: variant ?? undefined, occurrence: occurrence ?? undefined }),
      });
    const body = { items: keptMails(call, app, items), ...rest, languages: [...languages] };
    const mail = isChecked ? checkedMail(items) : undefined;
    if (mail === undefined) return { status: 200, body };
    const checks = [
      ...(await senderChecks(call, app)),
      ...contentChecks(mail, call.edge.config.publicUrl),
    ];
    return { status: 200, body: { ...body, checks } };
  },
});

/** The email of a preview, if it could be composed. */
function checkedMail(items: readonly PreviewItem[]): CheckedMail | undefined {
  const { payload, content } = items.find(({ channel }) => channel === 'email') ?? {};
  if (payload === undefined || content === undefined) return undefined;
  const { html, text, headers } = payload as unknown as Omit<CheckedMail, 'content'>;
  return { html, text, headers, content };
}
