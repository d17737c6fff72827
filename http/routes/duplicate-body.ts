// The optional body of routes that duplicate something, and how they read it.

import { z } from 'zod';
import { present } from '../call/answer/present.ts';
import { nameSchema } from '../call/schemas/schemas.ts';

export const duplicateBody = z
  .object({
    name: nameSchema.nullish().describe('Default: "Copy of" and the name of the original.'),
  })
  .meta({ examples: [{}, { name: 'Spring sale, second try' }] });

/** A message may have no name. */
export const duplicateMessageBody = z
  .object({
    name: nameSchema
      .nullish()
      .describe(
        'Default: "Copy of" and the name of the original. Without a name: its title, else its id.',
      ),
  })
  .meta({ examples: [{}, { name: 'Spring sale, second try' }] });

export function duplicateNamed({ name }: z.output<typeof duplicateBody>): {
  readonly name?: string;
} {
  return present({ name: name ?? undefined });
}
