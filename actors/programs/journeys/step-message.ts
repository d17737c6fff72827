// Checks a step's own message with the code for saved messages, and any message a step sends
// against the step's channels. A template that it names is copied, so later changes of the template
// change no journey. Without named channels every device gets what it can show. Source:
// specification, "Message"; contract, section 5.

import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { catalog } from '../../channels/catalog.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { acceptContent } from '../../content/accept/accept-content.ts';
import { providerTemplateMissing } from '../../content/accept/missing-member.ts';
import { providerTemplateFault } from '../../content/accept/provider-template.ts';
import { contentSchema, type MessageContent } from '../../content/shape/message-schema.ts';
import type { TemplateRef } from '../../content/templates/template-ref.ts';
import { limits } from '../../limits.ts';

/** Prefixes of the schema's sentences. */
const schemaWords = /^(Invalid input|Too (big|small)): /;

type Accepted = { readonly content: MessageContent } | { readonly fault: Fault };

/** Lays a step's own content over the app's template that it names. */
export type OverTemplate = (named: TemplateRef, own: MessageContent) => Accepted;

/** The content in normal form; a fault names the message's field. */
export function acceptStepMessage(input: unknown, overTemplate: OverTemplate): Accepted {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return { fault: { code: 'invalid', message: 'expected an object: the content of a message' } };
  const named = templateOf(input);
  if ('fault' in named) return named;
  const parsed = contentSchema.safeParse(input);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const problem = issue?.message.replace(schemaWords, '') ?? 'has the wrong format';
    return { fault: fieldFault(pathOf(issue?.path ?? []), problem) };
  }
  const own = acceptContent(parsed.data, 'marketing');
  if ('fault' in own) return own;
  const accepted = overTemplate(named.template, own.content);
  if ('fault' in accepted) return accepted;
  const { content } = accepted;
  const wrong = providerTemplateFault(content.payload);
  if (wrong !== undefined) return { fault: wrong };
  const most = limits.messageCharsMax;
  if (JSON.stringify(content).length > most)
    return { fault: { code: 'invalid', message: `expected at most ${most} characters as JSON` } };
  return accepted;
}

/** The field that a message lacks for the channels of a step. */
export function unfitForChannels(
  content: MessageContent,
  channels: readonly ChannelId[] | undefined,
): Fault | undefined {
  const hasPayload = (channel: ChannelId) => {
    const { payloadKey } = catalog[channel];
    return payloadKey !== undefined && content.payload?.[payloadKey] !== undefined;
  };
  if (channels === undefined) {
    if (content.body !== undefined || channelIds.some(hasPayload)) return undefined;
    return fieldFault('body', 'is missing; expected a string');
  }
  if (channels.includes('whatsapp') && !hasPayload('whatsapp'))
    return fieldFault(
      'payload.whatsapp',
      'is missing; a step that targets whatsapp needs an approved template',
    );
  const missing = providerTemplateMissing(content, channels);
  if (missing !== undefined) return missing;
  for (const channel of channels) {
    if (hasPayload(channel)) continue;
    if (content.body === undefined) return fieldFault('body', `is missing; ${channel} needs it`);
    if (content.title === undefined && catalog[channel].needsTitle)
      return fieldFault('title', `is missing; ${channel} needs it`);
  }
  return undefined;
}

/** `null` counts as absent. */
function templateOf(input: object): { readonly template: TemplateRef } | { readonly fault: Fault } {
  const { templateName, templateId } = input as Readonly<Record<string, unknown>>;
  if (templateName != null && templateId != null)
    return { fault: fieldFault('templateId', 'give templateName or templateId, not both') };
  for (const [name, value] of Object.entries({ templateName, templateId }))
    if (value != null && (typeof value !== 'string' || value === ''))
      return { fault: fieldFault(name, 'expected a string') };
  if (templateName != null) return { template: { templateName: String(templateName) } };
  return { template: templateId == null ? {} : { templateId: String(templateId) } };
}

/** `buttons[1].url` from `['buttons', 1, 'url']`. */
function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}
