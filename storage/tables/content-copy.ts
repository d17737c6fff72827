// Content of marketing sends as of their campaign's or journey's start, so that later edits change
// nothing. Never changed; removed with the campaign or journey.

import type { DocumentReader, DocumentWrite, KeyPart } from '../../engine/actor/message.ts';
import type { Millis } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

interface ContentCopyRow {
  readonly id: string;
  /** Its source; absent if a journey's step had its own. */
  readonly messageId?: string;
  /** Normal form (`MessageContent` of the content area). */
  readonly content: object;
  /** Of a journey's: when it was copied. Absent in copies of earlier builds. */
  readonly copiedMs?: Millis;
}

/** Key: [the sender: a campaign's id, or a journey's and its step's]. */
export const contentCopies = defineTable<ContentCopyRow>()({
  id: 21,
  name: 'content copies',
  version: 2,
  fields: ['id', 'messageId', 'content', 'copiedMs'],
});

/**
 * The variant or step in a copy's key (`<id>[@<version>]/<part>`); `undefined` without one, and for
 * another sender's.
 */
export function partOfCopyKey(id: string, key = ''): string | undefined {
  const [, part] = key.startsWith(id)
    ? (/^(?:@\d+)?\/(.*)$/s.exec(key.slice(id.length)) ?? [])
    : [];
  return part;
}

/** More than all versions of the most variants or steps. */
const rowsMax = 10_000;

/** Removes all copies of the campaign or journey `id`, damaged ones as well. */
export function forgetCopies(
  id: string,
  { documents }: { readonly documents: DocumentReader },
): DocumentWrite[] {
  const keys: (readonly KeyPart[])[] = [];
  const damaged = (key: readonly KeyPart[]) => keys.push(key);
  // "/" and "@" sort before "A", and no other id starts with this one.
  const range = { from: [id], to: [`${id}A`], limit: rowsMax, damaged };
  for (const { key } of documents.range(contentCopies, range)) keys.push(key);
  return keys.map((key) => ({ table: contentCopies, key, value: undefined }));
}
