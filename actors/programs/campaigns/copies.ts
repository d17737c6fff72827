// The content that a campaign sends, copied when an occurrence begins, so that edits of its
// messages change nothing of what is being sent. One copy per variant, and a new version only where
// the content differs from the occurrence before.

import type { DocumentReader, DocumentWrite } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import { contentCopies } from '../../../storage/tables/content-copy.ts';
import { readMessage } from '../../content/messages/read-message.ts';
import { ttlMsOf } from '../../content/shape/delivery-options.ts';
import type { MessageContent } from '../../content/shape/message-schema.ts';
import { sourcesOf } from './bucketing.ts';
import type { CampaignPlan } from './records.ts';

/** Copies older than so many versions go; only dead letters may still name them. */
const versionsKept = 100;

type Sources = Pick<CampaignPlan, 'messageId' | 'variants'>;
type Copied = Sources & Pick<CampaignPlan, 'id' | 'copy'>;
interface Reading {
  readonly documents: DocumentReader;
}

/** The first version has none in its key, as those of earlier builds. */
export function variantCopyKey(
  { id, copy = 1 }: Pick<CampaignPlan, 'id' | 'copy'>,
  variant: string | undefined,
): string {
  const version = copy === 1 ? id : `${id}@${copy}`;
  return variant === undefined ? version : `${version}/${variant}`;
}

interface FreshCopies {
  readonly documents: readonly DocumentWrite[];
  readonly copy: number;
  readonly ttlMs: Millis | undefined;
}

/** The copies that an occurrence beginning now uses; `undefined` if a message is gone. */
export function freshCopies(campaign: Copied, reading: Reading): FreshCopies | undefined {
  const sources = sourcesOf(campaign);
  const messages = sources.map(({ messageId }) => readMessage(messageId, reading)?.content);
  if (messages.some((content) => content === undefined)) return undefined;
  const ttlMs = ttlMsOfSources(campaign, reading);
  const rowsOf = (copy: number) =>
    sources.map(({ id: variant, messageId }, i) => {
      const id = variantCopyKey({ id: campaign.id, copy }, variant);
      return { id, messageId, content: messages[i] as MessageContent };
    });
  const { documents } = reading;
  const before = campaign.copy ?? (hasCopies(campaign, documents) ? 1 : 0);
  const isSame = rowsOf(before).every((row) => {
    const kept = documents.get(contentCopies, [row.id]);
    return kept !== undefined && JSON.stringify(kept) === JSON.stringify(row);
  });
  if (isSame) return { documents: [], copy: before, ttlMs };
  const copy = before + 1;
  const written = rowsOf(copy).map((row) => ({ table: contentCopies, key: [row.id], value: row }));
  return { documents: [...written, ...oldCopies(campaign.id, copy, documents)], copy, ttlMs };
}

/** The shortest lifetime of all variants holds for all. Deleted messages are skipped. */
export function ttlMsOfSources(campaign: Sources, reading: Reading): Millis | undefined {
  const own = sourcesOf(campaign).flatMap(({ messageId }) => {
    const message = readMessage(messageId, reading);
    return (message && ttlMsOf(message.content)) ?? [];
  });
  return own.length === 0 ? undefined : Math.min(...own);
}

/** The copies in the order of the variants; empty if one is missing. */
export function readCopies(plan: Copied, { documents }: Reading): readonly MessageContent[] {
  const contents: MessageContent[] = [];
  for (const { id } of sourcesOf(plan)) {
    const row = documents.get(contentCopies, [variantCopyKey(plan, id)]);
    if (row === undefined) return [];
    contents.push(row.content as MessageContent);
  }
  return contents;
}

/** Whether an earlier build, which counted no versions, copied something. */
function hasCopies(campaign: Copied, documents: DocumentReader): boolean {
  return sourcesOf(campaign).some(
    ({ id }) =>
      documents.get(contentCopies, [variantCopyKey({ id: campaign.id }, id)]) !== undefined,
  );
}

function oldCopies(id: string, copy: number, documents: DocumentReader): DocumentWrite[] {
  const old = copy - versionsKept;
  if (old < 1) return [];
  const first = variantCopyKey({ id, copy: old }, undefined);
  const rows = documents.range(contentCopies, { from: [first], to: [`${first}0`], limit: 100 });
  return rows.map(({ key }) => ({ table: contentCopies, key, value: undefined }));
}
