// The content that a campaign sends, copied when it is sent, so that later edits of its messages
// change nothing. One copy per variant.

import type { DocumentReader, DocumentWrite } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import { contentCopies } from '../../../storage/tables/content-copy.ts';
import { ttlMsOf } from '../../content/delivery-options.ts';
import type { MessageContent } from '../../content/message-schema.ts';
import { readMessage } from '../../content/messages/read-message.ts';
import type { CampaignRecord } from './records.ts';

export function variantCopyKey(campaignId: string, variant: string | undefined): string {
  return variant === undefined ? campaignId : `${campaignId}/${variant}`;
}

/** The copies to write, and how long the sends live. Deleted messages are skipped. */
export function campaignCopies(
  campaign: CampaignRecord,
  context: { readonly documents: DocumentReader },
): { readonly documents: readonly DocumentWrite[]; readonly ttlMs?: Millis } {
  const documents: DocumentWrite[] = [];
  let ttlMs: Millis | undefined;
  for (const { id, messageId } of sourcesOf(campaign)) {
    const message = readMessage(messageId, context);
    if (message === undefined) continue;
    const key = variantCopyKey(campaign.id, id);
    documents.push({
      table: contentCopies,
      key: [key],
      value: { id: key, messageId, content: message.content },
    });
    const own = ttlMsOf(message.content);
    // The shortest lifetime of all variants holds for all.
    if (own !== undefined) ttlMs = Math.min(own, ttlMs ?? own);
  }
  return { documents, ...(ttlMs === undefined ? {} : { ttlMs }) };
}

export function forgetCampaignCopies(campaign: CampaignRecord): DocumentWrite[] {
  return sourcesOf(campaign).map(({ id }) => ({
    table: contentCopies,
    key: [variantCopyKey(campaign.id, id)],
    value: undefined,
  }));
}

/** The copies in the order of the variants; empty if one is missing. */
export function readCopies(
  campaign: CampaignRecord,
  { documents }: { readonly documents: DocumentReader },
): readonly MessageContent[] {
  const contents: MessageContent[] = [];
  for (const { id } of sourcesOf(campaign)) {
    const row = documents.get(contentCopies, [variantCopyKey(campaign.id, id)]);
    if (row === undefined) return [];
    contents.push(row.content as MessageContent);
  }
  return contents;
}

/** The variants with their messages, or the only message. */
export function sourcesOf({
  messageId,
  variants,
}: Pick<CampaignRecord, 'messageId' | 'variants'>): readonly {
  readonly id?: string;
  readonly messageId: string;
}[] {
  return variants ?? [{ messageId }];
}
