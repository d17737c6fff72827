// What of an entry's facts is an event for destinations, by the names of the stream.

import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import type { NumberedDraft } from '../../events/log/entry-facts.ts';
import type { WebhookKind } from './event.ts';

/** An event without a person has this instead of an ordinal. */
export const nobody = 0xffff_ffff;

const kindOfStream: Readonly<Record<string, WebhookKind>> = {
  delivered: 'message.delivered',
  bounced: 'message.bounced',
  suppressed: 'message.suppressed',
  deferred: 'message.deferred',
  failed: 'message.failed',
  opened: 'message.opened',
  clicked: 'message.clicked',
  dismissed: 'message.dismissed',
  unsubscribed: 'subscriber.unsubscribed',
};

/** Never in the stream: an event of this name there is a client's own. */
const kindOfNotice: Readonly<Record<string, WebhookKind>> = {
  'campaign.completed': 'campaign.completed',
  'campaign.failed': 'campaign.failed',
  'campaign.chunk_processed': 'campaign.chunk_processed',
  'delivery.degraded': 'delivery.degraded',
  'webhook.test': 'webhook.test',
  'integration.disabled': 'integration.disabled',
  'message.complained': 'message.complained',
};

/** The kind of a stream's event. */
export function kindOfRow(name: string): WebhookKind | undefined {
  return Object.hasOwn(kindOfStream, name) ? kindOfStream[name] : undefined;
}

/** The kind of a stream's event or of a draft that was made for destinations. */
export function kindOf(name: string): WebhookKind | undefined {
  return kindOfRow(name) ?? (Object.hasOwn(kindOfNotice, name) ? kindOfNotice[name] : undefined);
}

export function channelOf({ channel = 0 }: NumberedDraft): ChannelId | null {
  return channelIds[channel - 1] ?? null;
}
