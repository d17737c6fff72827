// The final content of a transactional send: the person's language, strict rendering, and what each
// channel requires. Refuses at accept time, with a fault that names the field. Source:
// specification, "Transactional lane"; contract, section 5.

import type { Millis } from '../../../engine/base/brand.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { catalog } from '../../channels/catalog.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { DeliveryOptions } from '../../channels/port/attempt.ts';
import { providerTemplateMissing } from '../../content/accept/missing-member.ts';
import { checkVariables } from '../../content/accept/variables.ts';
import { renderContext, type TemplateSubscriber } from '../../content/liquid/context.ts';
import type { RenderBudget } from '../../content/liquid/render-budget.ts';
import { localize } from '../../content/render/localize.ts';
import { type RenderedMessage, renderContent } from '../../content/render/render-message.ts';
import type { AppRecord } from '../../tenants/accounts/records.ts';
import type { TransactionalRequest } from './protocol.ts';

export type RenderedSend =
  | { readonly content: RenderedMessage; readonly options: DeliveryOptions }
  | { readonly fault: Fault };

/** `variables` replace the request's. `budget` is passed by callers that count the work. */
export function renderTransactional(
  app: AppRecord,
  person: TemplateSubscriber,
  request: Omit<TransactionalRequest, 'to'>,
  targets: readonly { readonly channel: ChannelId }[],
  nowMs: Millis,
  variables: TransactionalRequest['variables'] = request.variables,
  budget?: RenderBudget,
): RenderedSend {
  const missing = checkRequired(request, targets) ?? checkMail(request, targets);
  if (missing !== undefined) return { fault: missing };
  const checked = checkVariables(variables);
  if ('fault' in checked) return checked;
  const content = localize(request, person.tags);
  const result = renderContent(content, renderContext(person, app, checked.variables), {
    lane: 'transactional',
    email: targets.some(({ channel }) => channel === 'email'),
    nowMs,
    timezone: person.timezone ?? app.timezone,
    ...(budget === undefined ? {} : { budget }),
  });
  if ('fault' in result) return result;
  const { plain, email } = result.rendered;
  const { mail } = request;
  if (mail === undefined) return { content: result.rendered, options: plain.options };
  const mailed = { plain: { ...plain, mail }, ...(email && { email: { ...email, mail } }) };
  return { content: mailed, options: plain.options };
}

/** A mail whose files or copies nobody would get is refused; beside email others ignore them. */
function checkMail(
  { mail, channels }: Omit<TransactionalRequest, 'to'>,
  targets: readonly { readonly channel: ChannelId }[],
): Fault | undefined {
  if (mail === undefined) return undefined;
  const [field = 'attachments'] = Object.keys(mail).sort();
  if (channels !== undefined && !channels.includes('email'))
    return fieldFault(field, 'only of an email; channels has no email');
  if (targets.length > 0 && !targets.some(({ channel }) => channel === 'email'))
    return fieldFault(field, 'only of an email, and the recipient has no email address');
  return undefined;
}

/**
 * A body, and a title where a named channel shows one; a provider template replaces both on its
 * channel. Without `channels`, the person's devices decide about the body.
 */
function checkRequired(
  request: Omit<TransactionalRequest, 'to'>,
  targets: readonly { readonly channel: ChannelId }[],
): Fault | undefined {
  const named = request.channels ?? [...new Set(targets.map(({ channel }) => channel))];
  const missing = providerTemplateMissing(request, named);
  if (missing !== undefined) return missing;
  const spokenFor = (channel: ChannelId) => {
    const { payloadKey } = catalog[channel];
    return payloadKey !== undefined && request.payload?.[payloadKey] !== undefined;
  };
  if (request.body === undefined && (named.length === 0 || !named.every(spokenFor))) {
    return fieldFault('body', 'is missing; expected a string');
  }
  // If only email could leave, a missing subject is refused; beside other channels the email is
  // dropped.
  const onlyEmail = targets.length > 0 && targets.every(({ channel }) => channel === 'email');
  const needsTitle =
    request.channels?.find((channel) => catalog[channel].needsTitle) ??
    (onlyEmail ? 'email' : undefined);
  if (request.title === undefined && needsTitle !== undefined) {
    return fieldFault('title', `required for ${needsTitle}`);
  }
  return undefined;
}
