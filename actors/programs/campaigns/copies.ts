// The copies of content that campaigns send: taken when a campaign is sent, so that what happens to
// its messages afterwards changes nothing. One a variant, or one.

import type { DocumentReader, DocumentWrite } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import { secondMs } from '../../../engine/base/brand.ts';
import { contentCopies } from '../../../storage/tables/content-copy.ts';
import { readDeliveryOptions } from '../../content/delivery-options.ts';
import type { MessageContent } from '../../content/message-schema.ts';
import { readMessage } from '../../content/messages/read-message.ts';
import type { CampaignRecord } from './records.ts';

/** The key of a campaign's copy; absent variants have one, too. */
export function variantCopyKey(campaignId: string, variant: string | undefined): string {
  return variant === undefined ? campaignId : `${campaignId}/${variant}`;
}

/**
 * What is copied when a campaign is sent, and how long its sends live; a message that is gone is
 * left out.
 */
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
    const own = ttlOf(message.content);
    // Variants that live for different times are judged by the shortest.
    if (own !== undefined) ttlMs = Math.min(own, ttlMs ?? own);
  }
  return { documents, ...(ttlMs === undefined ? {} : { ttlMs }) };
}

/** The removal of a campaign's copies. */
export function forgetCampaignCopies(campaign: CampaignRecord): DocumentWrite[] {
  return sourcesOf(campaign).map(({ id }) => ({
    table: contentCopies,
    key: [variantCopyKey(campaign.id, id)],
    value: undefined,
  }));
}

/** The content of a campaign's sends, by variant; an empty list where a copy is missing. */
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

/** The variants with their messages, or the one message. */
export function sourcesOf({
  messageId,
  variants,
}: Pick<CampaignRecord, 'messageId' | 'variants'>): readonly {
  readonly id?: string;
  readonly messageId: string;
}[] {
  return variants ?? [{ messageId }];
}

function ttlOf(content: MessageContent): Millis | undefined {
  const read = readDeliveryOptions({ top: content, payload: content.payload }, 'rendered');
  const seconds = 'fault' in read ? undefined : read.options.ttlSeconds;
  return seconds === undefined ? undefined : seconds * secondMs;
}
