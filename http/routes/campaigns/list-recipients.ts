// Lists what became of each person of a campaign, page by page, or all of them as one file.

import { z } from 'zod';
import {
  type CampaignRecipient,
  type CampaignsProtocol,
  recipientOutcomes,
} from '../../../actors/programs/campaigns/protocol.ts';
import { personOutcomes } from '../../../actors/programs/campaigns/tally.ts';
import { csvOfList, fileHint } from '../../call/answer/csv-list.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { countedPage, pageQuery } from '../../call/schemas/schemas.ts';

const recipientSchema = z
  .object({
    subscriberId: z.string(),
    externalUserId: z.string().nullable(),
    outcome: z
      .enum([...personOutcomes, 'holdout'])
      .describe("The best result of the person's devices. `pending`: still being sent."),
    reason: z.string().nullable().describe('Why it was suppressed.'),
    variant: z.string().nullable(),
    opened: z.boolean(),
    clicked: z.boolean(),
    converted: z.boolean(),
    unsubscribed: z.boolean().describe('They opted out by this message, or left its topic.'),
    complained: z.boolean().describe('They reported it as spam.'),
    occurrence: z.int().min(1),
  })
  .meta({
    id: 'CampaignRecipient',
    examples: [
      {
        subscriberId: exampleIds.subscriber,
        externalUserId: 'customer-42',
        outcome: 'delivered',
        reason: null,
        variant: null,
        opened: true,
        clicked: false,
        converted: false,
        unsubscribed: false,
        complained: false,
        occurrence: 1,
      },
    ],
  });

const columns = [
  'subscriberId',
  'externalUserId',
  'outcome',
  'reason',
  'variant',
  'opened',
  'clicked',
  'converted',
  'occurrence',
  'unsubscribed',
  'complained',
] as const;

export const listRecipients = route({
  method: 'GET',
  path: '/v1/apps/:appId/campaigns/:id/recipients',
  summary: 'List the recipients of a campaign',
  description: `The result for each person whose send was decided, counted as in the stats. Kept for 30 days after the end of an occurrence; after that, 409. A page may have fewer than \`limit\` while there are more: follow \`nextCursor\`. ${fileHint}`,
  tag: 'Campaigns',
  access: key('read'),
  reads: ['outcome'],
  params: { id: 'Campaign id.' },
  query: z.object({
    outcome: z
      .enum(recipientOutcomes)
      .optional()
      .describe(
        'Only people with this outcome, or who opened, clicked, converted, unsubscribed or complained. `holdout` lists the people held out, who are in no other list.',
      ),
    variant: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe('Only people with this variant; one that the occurrence does not have is a 400.'),
    occurrence: z.coerce
      .number()
      .int()
      .min(1)
      .max(2 ** 20)
      .optional()
      .describe('Occurrence of a recurring campaign. Default: the newest.'),
    format: z.enum(['json', 'csv']).default('json'),
    ...pageQuery,
  }),
  responses: {
    200: {
      description: 'A page of people, or the CSV file.',
      schema: countedPage(recipientSchema),
      contentType: 'text/csv',
    },
  },
  refusals: [409],
  async handle(call) {
    const { outcome, variant, occurrence, format, limit, cursor } = call.query;
    const id = call.param('id');
    const actor = call.to<CampaignsProtocol>(call.app());
    const wanted = { id, ...present({ outcome, variant, occurrence }) };
    const read = (limit: number, cursor?: string) =>
      actor.ask('campaign.recipients', { ...wanted, limit, ...present({ cursor }) });
    if (format === 'csv') return csvOfList(`${id}-recipients`, columns, read, recipientView);
    const { items, nextCursor, total } = await read(limit, cursor);
    return { status: 200, body: { items: items.map(recipientView), nextCursor, total } };
  },
});

function recipientView(one: CampaignRecipient): z.output<typeof recipientSchema> {
  return {
    ...one,
    externalUserId: one.externalUserId ?? null,
    reason: one.reason ?? null,
    variant: one.variant ?? null,
  };
}
