// The wire shape of what the texts of a campaign cost.

import { z } from 'zod';
import type { TextCost } from '../../../actors/programs/campaigns/cost-protocol.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';

const count = z.int().min(0);
const money = z.number().min(0).nullable();

const textCostSchema = z.object({
  texts: count,
  segments: count.describe('A long text has several, and each is billed.'),
  total: money.describe('What the countries with a price cost together; `null` if none has one.'),
  unsendable: count.describe('Texts that cannot be rendered or are too long: they are not sent.'),
  countries: z
    .array(
      z.object({
        country: z
          .string()
          .nullable()
          .describe('ISO 3166; `null` for numbers that belong to no country.'),
        texts: count,
        segments: count,
        cost: money.describe('`null`: there is no price for this country.'),
      }),
    )
    .describe('By segments, most first.'),
});

const exampleCost = {
  texts: 1_200,
  segments: 1_350,
  total: 67.5,
  unsendable: 0,
  countries: [
    { country: 'VN', texts: 1_150, segments: 1_300, cost: 67.5 },
    { country: 'LA', texts: 50, segments: 50, cost: null },
  ],
};

export const campaignCostSchema = z
  .object({
    relay: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .describe('The relay that sends texts first. `null`: texts leave by the carrier credential.'),
    pricesOf: z
      .enum(['relay', 'app'])
      .nullable()
      .describe(
        'Whose prices count: the `price` of the relay, or else `textPrices` of the settings of the app. `null`: there are none.',
      ),
    currency: z.string().nullable().describe('ISO 4217; `null` without prices.'),
    isEstimate: z
      .boolean()
      .describe(
        'Of more than 50,000 people, evenly spread ones stand for all. Also if some get the winning variant, which is not known yet.',
      ),
    primary: textCostSchema.describe('Texts to everyone who would get one, now or later.'),
    fallback: textCostSchema
      .nullable()
      .describe('Texts of the fallback if nobody reacted; `null` if it sends none.'),
  })
  .meta({
    id: 'CampaignCost',
    examples: [
      {
        relay: { id: exampleIds.relay, name: 'eSMS' },
        pricesOf: 'relay',
        currency: 'USD',
        isEstimate: false,
        primary: exampleCost,
        fallback: null,
      },
    ],
  });

export function textCostView({ countries, ...cost }: TextCost): z.output<typeof textCostSchema> {
  return { ...cost, countries: [...countries] };
}
