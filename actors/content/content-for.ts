// What one person is shown of a message on one channel: their language, their tags, that channel's form. Marketing alone:
// unknown names print nothing. Dispatch, preview and test sends all come through here, so what is previewed is what is sent.

import type { Millis } from '../../engine/base/brand.ts';
import type { Fault } from '../../engine/base/fault.ts';
import { fieldFault } from '../../engine/base/fault.ts';
import type { RenderedContent } from '../channels/adapter.ts';
import type { ChannelId } from '../channels/catalog.ts';
import { renderContext, type Scalar, type TemplateSubscriber } from './context.ts';
import { localize } from './localize.ts';
import type { MessageContent } from './message-schema.ts';
import { renderContent } from './render-message.ts';

/** Whose message it is. */
export interface ShownBy {
  readonly name: string;
  /** IANA zone, for people without one. */
  readonly timezone: string;
}

/** The final text, or why this person cannot be sent it; the fault names the member as it was written. */
export function contentFor(
  message: MessageContent,
  person: TemplateSubscriber,
  app: ShownBy,
  channel: ChannelId,
  nowMs: Millis,
  variables?: Readonly<Record<string, Scalar>>,
): { readonly content: RenderedContent } | { readonly fault: Fault } {
  const email = channel === 'email';
  const result = renderContent(
    localize(message, person.tags),
    renderContext(person, app, variables),
    { lane: 'marketing', email, nowMs, timezone: person.timezone ?? app.timezone },
  );
  if ('fault' in result) return result;
  const { plain, email: html } = result.rendered;
  const content = email ? (html ?? plain) : plain;
  if (email && content.title === undefined)
    return { fault: fieldFault('title', 'is empty for this person, and a mail needs a subject') };
  return { content };
}
