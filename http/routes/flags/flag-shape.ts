// The wire shape of a feature flag. The app's actor checks its filter, like a segment's. Source:
// contract, section 9.

import { z } from 'zod';
import { type FlagRecord, flagEtag } from '../../../actors/audiences/flags/flag.ts';
import type { FlagInput } from '../../../actors/audiences/flags/protocol.ts';
import { limits } from '../../../actors/limits.ts';
import { parseId } from '../../../engine/base/id.ts';
import { present } from '../../call/answer/present.ts';
import { exampleEtag, exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import { etagSchema, instant, instantSchema } from '../../call/schemas/schemas.ts';
import { filterSchema } from '../segments/segment-shape.ts';

const { flagKeyCharsMax, flagVariantsMax, flagWeightMax } = limits;

/** Would mean something else as keys of the response, an object by flag key. */
const refusedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const handle = z
  .string()
  .regex(
    new RegExp(`^[A-Za-z0-9_.-]{1,${flagKeyCharsMax}}$`),
    `expected 1 to ${flagKeyCharsMax} letters, digits, _ . or -`,
  );

const flagKey = handle
  .refine((key) => !refusedKeys.has(key), 'this key is not allowed')
  .refine((key) => parseId('flg', key) === undefined, 'looks like an id; choose another key')
  .describe('The key your app asks for. Unique per app; cannot be changed.');

const variantsSchema = z
  .array(
    z.object({
      key: handle,
      weight: z
        .number()
        .min(0)
        .max(flagWeightMax)
        .describe('Relative weight: its share of the sum of all weights; 0 for none.'),
    }),
  )
  .min(1)
  .max(flagVariantsMax)
  .superRefine((variants, context) => {
    const seen = new Set<string>();
    for (const [i, { key }] of variants.entries()) {
      if (seen.has(key))
        context.addIssue({ code: 'custom', path: [i, 'key'], message: 'this key appears twice' });
      seen.add(key);
    }
    if (variants.every(({ weight }) => weight === 0))
      context.addIssue({ code: 'custom', message: 'expected at least one weight above 0' });
  })
  .describe(
    'Variants; each person always gets the same one. Changing one weight moves people only to or from that variant.',
  );

const members = {
  enabled: z
    .boolean()
    .optional()
    .describe('While `false`, the flag is off for everyone. Default `false`.'),
  filter: filterSchema.nullish().describe('Only for people who currently match.'),
  rolloutPercent: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .describe(
      'Percentage of matching people. Positions are stable, so a higher number only adds people. Default 100.',
    ),
  variants: variantsSchema.nullish(),
};

const exampleFlag = {
  key: 'new-checkout',
  enabled: true,
  filter: { tag: 'plan', eq: 'pro' },
  rolloutPercent: 25,
  variants: [
    { key: 'control', weight: 50 },
    { key: 'one-page', weight: 50 },
  ],
};

export const flagBody = z.object({ key: flagKey, ...members }).meta({ examples: [exampleFlag] });

export const flagPatch = z
  .object({ key: flagKey.optional(), ...members })
  .meta({ examples: [{ rolloutPercent: 50 }] });

export const flagSchema = z
  .object({
    id: z.string(),
    key: z.string(),
    enabled: z.boolean(),
    filter: filterSchema.nullable(),
    rolloutPercent: z.number(),
    variants: z.array(z.object({ key: z.string(), weight: z.number() })).nullable(),
    etag: etagSchema,
    createdAt: instantSchema,
    updatedAt: instantSchema,
  })
  .meta({
    id: 'Flag',
    examples: [
      {
        id: exampleIds.flag,
        ...exampleFlag,
        etag: exampleEtag,
        createdAt: exampleInstant(),
        updatedAt: exampleInstant(),
      },
    ],
  });

export function flagInput(body: z.output<typeof flagPatch>): FlagInput {
  const { enabled, filter, rolloutPercent, variants } = body;
  return present({ enabled, filter, rolloutPercent, variants });
}

export function flagView(flag: FlagRecord) {
  const { id, key, enabled, filter, rolloutPercent, ...rest } = flag;
  return {
    id,
    key,
    enabled,
    filter: (filter ?? null) as Record<string, unknown> | null,
    rolloutPercent,
    variants: rest.variants ?? null,
    etag: flagEtag(flag),
    createdAt: instant(rest.createdMs),
    updatedAt: instant(rest.updatedMs),
  };
}
