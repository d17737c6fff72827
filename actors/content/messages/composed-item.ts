// Rendered content as one channel's provider would receive it, composed by the code that sends. Its
// links must not work: an unsubscribe link would opt the person out.

import type { DeviceRow } from '../../../storage/tables/subscriber.ts';
import { catalog } from '../../channels/catalog.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { droppedOn } from '../../channels/dropped.ts';
import { isMarketingMail } from '../../channels/email/unsubscribe-ways.ts';
import { type Attempt, endpointText, type RenderedContent } from '../../channels/port/attempt.ts';
import type { Failure } from '../../channels/port/outcome.ts';
import { payloadOf } from '../../channels/providers.ts';
import { preferencesPlaceholder } from '../liquid/context.ts';
import type { PreviewFacts, PreviewItem } from './protocol.ts';

/** In place of what only a send has. `.invalid` never resolves (RFC 2606); no id looks so. */
export const placeholders = {
  sendId: 'ntf_preview',
  deviceId: 'dev_preview',
  token: 'preview-device-token',
  phone: '+15555550100',
  address: 'preview@device.invalid',
  unsubscribeUrl: 'https://unsubscribe.invalid/preview',
} as const;

type RenderedItem = Pick<PreviewItem, 'channel' | 'language' | 'deviceId'> & {
  readonly content: RenderedContent;
};

interface Composing extends Pick<PreviewFacts, 'app' | 'nowMs'> {
  /** The first it would go to; without one, a placeholder stands for it. */
  readonly device: DeviceRow | undefined;
  /** The person's language. */
  readonly spoken: string | undefined;
  /** A transactional message, or a test of another. */
  readonly express?: { readonly isTest: boolean };
}

/** With an error where the provider would refuse it. */
export function composedItem(item: RenderedItem, composing: Composing): PreviewItem {
  const { channel, content } = item;
  const attempt = attemptOf(channel, content, composing);
  const composed = payloadOf(attempt, composing.nowMs);
  const dropped = droppedOn(channel, content, {
    address: endpointText(attempt),
    lane: attempt.lane,
  });
  return 'payload' in composed
    ? { ...item, payload: composed.payload, ...(dropped.length === 0 ? {} : { dropped }) }
    : { ...item, error: problemOfFailure(composed) };
}

function attemptOf(
  channel: ChannelId,
  content: RenderedContent,
  { app, nowMs, device, spoken, express }: Composing,
): Attempt {
  const attempt: Attempt = {
    sendId: placeholders.sendId,
    deviceId: device?.id ?? placeholders.deviceId,
    appId: app.id,
    appName: app.name,
    channel,
    lane: express === undefined ? 'bulk' : 'express',
    attempt: 1,
    endpoint: device?.endpoint ?? endpointFor(channel),
    registeredMs: device?.createdMs ?? nowMs,
    content,
    acceptedMs: nowMs,
    ...(spoken === undefined ? {} : { language: spoken }),
    ...(app.wording === undefined ? {} : { wording: app.wording }),
    ...(channel === 'email' && {
      email: {
        ...app.email,
        unsubscribeUrl: placeholders.unsubscribeUrl,
        ...(express?.isTest === true ? { isTest: true } : {}),
      },
    }),
  };
  const { email } = attempt;
  if (email === undefined || !isMarketingMail(attempt)) return attempt;
  return { ...attempt, email: { ...email, preferencesUrl: preferencesPlaceholder } };
}

/** The provider's refusal, as a send's receipt would word it. */
function problemOfFailure({ reason, detail }: Failure): NonNullable<PreviewItem['error']> {
  return { error: detail === undefined ? reason : `${reason}: ${detail}` };
}

function endpointFor(channel: ChannelId): string {
  if (channel === 'email') return placeholders.address;
  return catalog[channel].identity === 'phone' ? placeholders.phone : placeholders.token;
}

/** About how many characters an item adds to the response: those of its texts. */
export function itemCharacters(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  let characters = 0;
  for (const member of Object.values(value)) characters += itemCharacters(member);
  return characters;
}

export const previewTooLong = {
  field: 'channel',
  error: 'channel: the preview is too large to return with the others; request this channel alone',
} as const;
