// What a saved message would send to one person, per channel, rendered and composed by the code
// that sends.

import type { DeviceRow } from '../../../storage/tables/subscriber.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { limits } from '../../limits.ts';
import { inspectContent } from '../accept/content-issues.ts';
import { renderContext, type TemplateSubscriber } from '../liquid/context.ts';
import { contentFor, formOf } from '../render/content-for.ts';
import { languageOf, localize } from '../render/localize.ts';
import { utmFor } from '../render/utm.ts';
import { withUtm } from '../render/utm-links.ts';
import type { ContentInput, ContentIssue, MessageContent } from '../shape/message-schema.ts';
import { composedItem, itemCharacters, previewTooLong } from './composed-item.ts';
import type { PreviewRead } from './pool-read.ts';
import type { MessagePreview, PreviewItem } from './protocol.ts';

type Problem = NonNullable<PreviewItem['error']>;

/** The problems of the content, and what it shows without the parts that have one. */
export function preview(asked: PreviewRead): MessagePreview {
  const { app, nowMs, language, variables, draft, isSomebody } = asked;
  const { tags } = asked.person;
  const person =
    language === undefined ? asked.person : { ...asked.person, tags: { ...tags, language } };
  const somebody = {
    context: renderContext(person, app, variables),
    options: { nowMs, timezone: person.timezone ?? app.timezone },
  };
  const given = (draft ?? asked.content) as ContentInput;
  const { content, issues, usesVariables } = inspectContent(
    given,
    isSomebody ? somebody : undefined,
  );
  const shown = draft === undefined ? asked.content : content;
  const items = itemsOf(asked, shown, person).map((item) => withCause(item, issues));
  return { items, issues, usesVariables };
}

/** A part that was left out is missing for the reason that its issue tells. */
function withCause(item: PreviewItem, issues: readonly ContentIssue[]): PreviewItem {
  const { error } = item;
  if (error === undefined) return item;
  const cause = issues.find(({ level, field }) => level === 'error' && field === error.field);
  if (cause === undefined) return item;
  return { ...item, error: { field: cause.field, error: `${cause.field}: ${cause.error}` } };
}

/** One item per channel. Each form is rendered once, within the bounds of a send. */
function itemsOf(
  asked: PreviewRead,
  content: MessageContent,
  person: TemplateSubscriber,
): readonly PreviewItem[] {
  const { app, devices, nowMs, channels = channelIds, variables } = asked;
  const variant = localize(content, person.tags).variant?.key ?? null;
  const spoken = languageOf(person.tags);
  const forms = new Map<string, ReturnType<typeof contentFor>>();
  let characters = 0;

  const shownOn = (channel: ChannelId) => {
    const form = formOf(content, channel);
    let shown = forms.get(form);
    if (shown === undefined) {
      shown = contentFor(content, person, app, channel, nowMs, variables);
      forms.set(form, shown);
    }
    return shown;
  };
  const itemOf = (channel: ChannelId): PreviewItem => {
    const device = deviceOn(devices, channel);
    const item = { channel, language: variant, deviceId: device?.id ?? null };
    const shown = shownOn(channel);
    if ('fault' in shown) return { ...item, error: problemOf(shown.fault) };
    const utm = asked.utm && utmFor(asked.utm.setting, { ...asked.utm.from, channel }, app, nowMs);
    const linked = withUtm(
      shown.content,
      content.utm === false ? undefined : utm,
      channel === 'email',
    );
    const composed = composedItem({ ...item, content: linked }, { app, nowMs, device, spoken });
    const more = itemCharacters(composed);
    if (characters > 0 && characters + more > limits.pageCharsMax)
      return { ...item, error: previewTooLong };
    characters += more;
    return composed;
  };
  return channels.map(itemOf);
}

/** The first device for a channel, enabled ones first. */
function deviceOn(devices: readonly DeviceRow[], channel: ChannelId): DeviceRow | undefined {
  const ofChannel = devices.filter((device) => device.channel === channel);
  return ofChannel.find(({ enabled }) => enabled) ?? ofChannel[0];
}

function problemOf({ field, message }: { field?: string; message: string }): Problem {
  return field === undefined ? { error: message } : { field, error: message };
}
