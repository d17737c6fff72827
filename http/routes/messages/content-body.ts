// Saved content in the bodies of calls, of messages and of templates alike: judged as far as one
// call carries it. What content needs as a whole is its actor's to say, once a change is merged in.
// Source: contract, section 5.

import { z } from 'zod';
import { acceptContent } from '../../../actors/content/accept-content.ts';
import {
  type ContentInput,
  contentFields,
  type MessageContent,
} from '../../../actors/content/message-schema.ts';
import { providerTemplateFault } from '../../../actors/content/provider-template.ts';
import { FaultError } from '../../../engine/base/fault.ts';

type ContentName = keyof typeof contentFields;
const contentNames = Object.keys(contentFields) as ContentName[];

/** The members of content for a change, each of which `null` removes. */
export const nullableContentFields = nullable(contentFields);

/** Content in normal form. Throws its first fault. */
export function judgedContent(input: ContentInput): MessageContent {
  const accepted = acceptContent(input, 'marketing');
  if ('fault' in accepted) throw new FaultError(accepted.fault);
  const wrong = providerTemplateFault(accepted.content.payload);
  if (wrong !== undefined) throw new FaultError(wrong);
  return accepted.content;
}

/**
 * The content that a change gives, and the members that it removes. Throws the first fault of the
 * members given.
 */
export function judgedChange(
  body: {
    readonly [Name in ContentName]?: z.output<(typeof nullableContentFields)[Name]>;
  },
): { readonly content: MessageContent; readonly removed: readonly ContentName[] } {
  const given = Object.entries(body).filter(([, value]) => value !== null);
  const removed = contentNames.filter((name) => body[name] === null);
  // Without its nulls a patch is content: the two shapes have the same members.
  return { content: judgedContent(Object.fromEntries(given) as ContentInput), removed };
}

/** A member that is known here and refused, with where it belongs. */
export function belongsElsewhere(where: string) {
  return z
    .unknown()
    .refine((value) => value == null, where)
    .optional()
    .describe(`Not accepted: ${where}.`);
}

/** The same members, each of which may be `null`. */
function nullable<Shape extends z.ZodRawShape>(shape: Shape) {
  const members = Object.entries(shape).map(([name, member]) => {
    const schema = member as z.ZodType;
    return [name, schema.nullable().describe(schema.description ?? '')];
  });
  return Object.fromEntries(members) as { [K in keyof Shape]: z.ZodNullable<Shape[K]> };
}
