// Checks a change of a message's or a template's content. Apart from the content of calls, because
// a send changes nothing that is stored.

import type { z } from 'zod';
import { deliveryOptionKeys } from '../../../actors/content/shape/delivery-options.ts';
import {
  type ContentInput,
  contentFields,
  type MessageContent,
} from '../../../actors/content/shape/message-schema.ts';
import type { nullableContentFields } from './content-body.ts';
import { judgedContent } from './judged-content.ts';

type ContentName = keyof typeof contentFields;
const contentNames = Object.keys(contentFields) as ContentName[];

/** A change's content and the fields it removes. Throws the first fault of the fields it sets. */
export function judgedChange(
  body: {
    readonly [Name in keyof typeof nullableContentFields]?: z.output<
      (typeof nullableContentFields)[Name]
    >;
  },
): { readonly content: MessageContent; readonly removed: readonly ContentName[] } {
  const given = Object.entries(body).filter(([, value]) => value !== null);
  const removed = contentNames.filter((name) => body[name] === null);
  if (body.deliveryOptions === null)
    removed.push(...deliveryOptionKeys.filter((name) => body[name] == null));
  // Without its nulls a patch is content: both shapes have the same fields.
  return { content: judgedContent(Object.fromEntries(given) as ContentInput), removed };
}
