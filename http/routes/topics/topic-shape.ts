// The wire shape of a topic.

import { z } from 'zod';
import { limits } from '../../../actors/limits.ts';
import type { TopicInput, TopicView } from '../../../actors/people/topics/protocol.ts';
import { topicDefaults, topicEtag } from '../../../actors/people/topics/topic.ts';
import { present } from '../../call/answer/present.ts';
import { exampleEtag, exampleInstant } from '../../call/schemas/example-ids.ts';
import { etagSchema, instant, instantSchema, nameSchema } from '../../call/schemas/schemas.ts';

const { topicKeyCharsMax, topicDescriptionCharsMax } = limits;

/** Would mean something else as keys of preferences, an object by topic. */
const refusedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const topicKey = z
  .string()
  .regex(
    new RegExp(`^[A-Za-z0-9_-]{1,${topicKeyCharsMax}}$`),
    `expected 1 to ${topicKeyCharsMax} letters, digits, _ or -`,
  )
  .refine((key) => !refusedKeys.has(key), 'this key is not allowed')
  .describe('Unique per app; cannot be changed. The tag of a choice is `topic.` and the key.');

const name = nameSchema.describe('What people see.');

const members = {
  description: z.string().trim().min(1).max(topicDescriptionCharsMax).nullish(),
  default: z
    .enum(topicDefaults)
    .optional()
    .describe('What holds for people who have made no choice. Default `out`.'),
  doubleOptIn: z
    .boolean()
    .optional()
    .describe(
      'Whether a choice `in` that comes without an API key waits as `pending` until the person confirms it. Needs the default `out`. Default `false`.',
    ),
};

const exampleTopic = {
  key: 'news',
  name: 'Product news',
  description: 'What is new, once a month.',
  default: 'out' as const,
  doubleOptIn: true,
};

export const topicBody = z.object({ key: topicKey, name, ...members }).meta({
  examples: [exampleTopic, { key: 'offers', name: 'Offers', default: 'in' }],
});

export const topicPatch = z
  .object({ key: topicKey.optional(), name: name.optional(), ...members })
  .meta({ examples: [{ name: 'News of the product', description: null }] });

const count = z.int().min(0);

export const topicSchema = z
  .object({
    key: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    default: z.enum(topicDefaults),
    doubleOptIn: z.boolean(),
    people: z
      .object({ in: count, out: count, pending: count })
      .describe('How many people have chosen what. The default holds for all others.'),
    etag: etagSchema,
    createdAt: instantSchema,
    updatedAt: instantSchema,
  })
  .meta({
    id: 'Topic',
    examples: [
      {
        ...exampleTopic,
        people: { in: 1_204, out: 87, pending: 12 },
        etag: exampleEtag,
        createdAt: exampleInstant(),
        updatedAt: exampleInstant(),
      },
    ],
  });

export function topicInput(body: z.output<typeof topicPatch>): TopicInput {
  const { name, description, default: otherwise, doubleOptIn } = body;
  return present({ name, description, default: otherwise, doubleOptIn });
}

export function topicView(topic: TopicView) {
  const { key, name, description = null, doubleOptIn, people } = topic;
  return {
    key,
    name,
    description,
    default: topic.default,
    doubleOptIn,
    people,
    etag: topicEtag(topic),
    createdAt: instant(topic.createdMs),
    updatedAt: instant(topic.updatedMs),
  };
}
