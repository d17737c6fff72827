// What one person is shown of a message on one channel: their language, their tags, that channel's
// form. Marketing alone: unknown names print nothing. Dispatch, preview and test sends all come
// through here, so what is previewed is what is sent.

import type { Millis } from '../../engine/base/brand.ts';
import type { Fault } from '../../engine/base/fault.ts';
import { fieldFault } from '../../engine/base/fault.ts';
import type { RenderedContent } from '../channels/attempt.ts';
import { catalog } from '../channels/catalog.ts';
import type { ChannelId } from '../channels/channel-ids.ts';
import { renderContext, type Scalar, type ShownBy, type TemplateSubscriber } from './context.ts';
import { localize } from './localize.ts';
import type { MessageContent } from './message-schema.ts';
import { renderContent } from './render-message.ts';

/**
 * The final text, or why this person cannot be sent it; the fault names the member as it was
 * written.
 */
export function contentFor(
  message: MessageContent,
  person: TemplateSubscriber,
  app: ShownBy,
  channel: ChannelId,
  nowMs: Millis,
  variables?: Readonly<Record<string, Scalar>>,
): { readonly content: RenderedContent } | { readonly fault: Fault } {
  const email = channel === 'email';
  const localized = localize(message, person.tags);
  const { payloadKey } = catalog[channel];
  if (
    localized.body === undefined &&
    (payloadKey === undefined || localized.payload?.[payloadKey] === undefined)
  )
    return { fault: fieldFault('body', 'is missing; this channel needs it') };
  const result = renderContent(localized, renderContext(person, app, variables), {
    lane: 'marketing',
    email,
    nowMs,
    timezone: person.timezone ?? app.timezone,
  });
  if ('fault' in result) return result;
  const { plain, email: html } = result.rendered;
  const content = email ? (html ?? plain) : plain;
  if (email && content.title === undefined)
    return { fault: fieldFault('title', 'is empty for this person; an email needs a subject') };
  return { content };
}

/** Channels of one form are shown the same of a message, so one rendering does for all of them. */
export function formOf(message: MessageContent, channel: ChannelId): string {
  if (channel === 'email') return 'email';
  // Only where a message has no body of its own does a channel's template decide what is shown.
  return message.body === undefined ? (catalog[channel].payloadKey ?? 'plain') : 'plain';
}
