// What one person gets of a message on one channel. Marketing only: unknown names print nothing.
// Dispatch, preview and test sends all use it, so the preview is what is sent.

import type { Millis } from '../../../engine/base/brand.ts';
import type { Fault } from '../../../engine/base/fault.ts';
import { fieldFault } from '../../../engine/base/fault.ts';
import { catalog } from '../../channels/catalog.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { RenderedContent } from '../../channels/port/attempt.ts';
import {
  renderContext,
  type Scalar,
  type SendingApp,
  type TemplateSubscriber,
} from '../liquid/context.ts';
import type { MessageContent } from '../shape/message-schema.ts';
import type { UtmParameters } from '../shape/utm-facts.ts';
import { localize } from './localize.ts';
import { renderContent } from './render-message.ts';
import { withUtm } from './utm-links.ts';

/** The final text, or a fault that names the member as it was written. */
export function contentFor(
  message: MessageContent,
  person: TemplateSubscriber,
  app: SendingApp,
  channel: ChannelId,
  nowMs: Millis,
  variables?: Readonly<Record<string, Scalar>>,
  utm?: UtmParameters,
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
  return { content: message.utm === false ? content : withUtm(content, utm, email) };
}

/** Channels of one form show the same content, so one rendering serves all of them. */
export function formOf(message: MessageContent, channel: ChannelId): string {
  if (channel === 'email') return 'email';
  // A channel's template replaces the body only if there is no body.
  return message.body === undefined ? (catalog[channel].payloadKey ?? 'plain') : 'plain';
}
