// Checks content in the bodies of calls. The actor checks saved content as a whole, after merging a
// change. Source: contract, section 5.

import type { z } from 'zod';
import { acceptContent, type ContentLane } from '../../../actors/content/accept/accept-content.ts';
import { providerTemplateFault } from '../../../actors/content/accept/provider-template.ts';
import { deliveryOptionKeys } from '../../../actors/content/shape/delivery-options.ts';
import {
  type ContentInput,
  contentFields,
  type MessageContent,
} from '../../../actors/content/shape/message-schema.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import type { nullableContentFields } from './content-body.ts';

type ContentName = keyof typeof contentFields;
const contentNames = Object.keys(contentFields) as ContentName[];

/** Content in normal form. Throws its first fault. */
export function judgedContent(
  input: ContentInput,
  lane: ContentLane = 'marketing',
): MessageContent {
  const accepted = acceptContent(input, lane);
  if ('fault' in accepted) throw new FaultError(accepted.fault);
  const wrong = providerTemplateFault(accepted.content.payload);
  if (wrong !== undefined) throw new FaultError(wrong);
  return accepted.content;
}

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
