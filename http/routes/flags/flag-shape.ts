// What a feature flag is on the wire. Its filter is judged by the app's actor, like that of a
// segment. Source: contract, section 9.

import { z } from 'zod';
import type { FlagRecord } from '../../../actors/audiences/flags/flag.ts';
import type { FlagInput } from '../../../actors/audiences/flags/protocol.ts';
import { limits } from '../../../actors/limits.ts';
import { parseId } from '../../../engine/base/id.ts';
import { exampleIds, exampleInstant } from '../../example-ids.ts';
import { present } from '../../present.ts';
import { instant, instantSchema } from '../../schemas.ts';
import { filterSchema } from '../segments/segment-shape.ts';

const { flagKeyCharsMax, flagVariantsMax, flagWeightMax } = limits;

/** Names that would mean something else as members of the answer, which is an object by key. */
const refusedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const handle = z
  .string()
  .regex(
    new RegExp(`^[A-Za-z0-9_.-]{1,${flagKeyCharsMax}}$`),
    `expected 1 to ${flagKeyCharsMax} letters, digits, _ . or -`,
  );

const flagKey = handle
  .refine((key) => !refusedKeys.has(key), 'this key is not allowed')
  .refine((key) => parseId('flg', key) === undefined, 'has the form of an id; choose a name')
  .describe('What the app asks for. Unique in the app, and never changed.');

const variantsSchema = z
  .array(
    z.object({
      key: handle,
      weight: z
        .number()
        .min(0)
        .max(flagWeightMax)
        .describe('A share of the sum of all weights; 0 for none.'),
    }),
  )
  .min(1)
  .max(flagVariantsMax)
  .superRefine((variants, context) => {
    const seen = new Set<string>();
    for (const [i, { key }] of variants.entries()) {
      if (seen.has(key))
        context.addIssue({ code: 'custom', path: [i, 'key'], message: 'this key is given twice' });
      seen.add(key);
    }
    if (variants.every(({ weight }) => weight === 0))
      context.addIssue({ code: 'custom', message: 'expected a weight above 0 for one of them' });
  })
  .describe(
    'Arms, of which each person keeps one. A change of one weight moves people to or from that arm only.',
  );

const members = {
  enabled: z
    .boolean()
    .optional()
    .describe('Off for everybody while it is `false`, as it is at first.'),
  filter: filterSchema.nullish().describe('Only for people who match now.'),
  rolloutPercent: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .describe(
      'Of those who match. A person keeps the place, so a higher number only adds people. 100 at first.',
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

/** The body that makes a flag. */
export const flagBody = z.object({ key: flagKey, ...members }).meta({ examples: [exampleFlag] });

/** The body that changes one. */
export const flagPatch = z
  .object({ key: flagKey.optional(), ...members })
  .meta({ examples: [{ rolloutPercent: 50 }] });

/** A flag as every answer shows it. */
export const flagSchema = z
  .object({
    id: z.string(),
    key: z.string(),
    enabled: z.boolean(),
    filter: filterSchema.nullable(),
    rolloutPercent: z.number(),
    variants: z.array(z.object({ key: z.string(), weight: z.number() })).nullable(),
    createdAt: instantSchema,
    updatedAt: instantSchema,
  })
  .meta({
    id: 'Flag',
    examples: [
      {
        id: exampleIds.flag,
        ...exampleFlag,
        createdAt: exampleInstant(),
        updatedAt: exampleInstant(),
      },
    ],
  });

/** The members of a body as the actor takes them. */
export function flagInput(body: z.output<typeof flagPatch>): FlagInput {
  const { enabled, filter, rolloutPercent, variants } = body;
  return present({ enabled, filter, rolloutPercent, variants });
}

/** A flag as it goes out. */
export function flagView({ id, key, enabled, filter, rolloutPercent, ...rest }: FlagRecord) {
  return {
    id,
    key,
    enabled,
    filter: (filter ?? null) as Record<string, unknown> | null,
    rolloutPercent,
    variants: rest.variants ?? null,
    createdAt: instant(rest.createdMs),
    updatedAt: instant(rest.updatedMs),
  };
}
