// Whether a message that is rendered again says what it said when it was sent.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { SubscriberRow } from '../../../storage/tables/subscriber.ts';
import type { MessageContent } from '../../content/shape/message-schema.ts';

/**
 * True only if nothing that it reads can have changed since `atMs`: it has no tags, or the person's
 * record is as it was then and no tag reads the app or the time. The app keeps no former name.
 */
export function isFixed(
  message: MessageContent,
  row: Pick<SubscriberRow, 'person' | 'updatedMs'>,
  { person, atMs }: { readonly person: PersonOrdinal; readonly atMs: Millis },
): boolean {
  const tags = JSON.stringify(message).match(/\{[{%].*?[%}]\}/gs) ?? [];
  if (tags.length === 0 && message.localizations === undefined) return true;
  if (row.person !== person || row.updatedMs > atMs) return false;
  return !tags.some((tag) => /\b(app|date)\b/.test(tag));
}
