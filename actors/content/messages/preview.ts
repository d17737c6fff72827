// What a saved message would send to one person, per channel, rendered and composed by the code
// that sends. Its links must not work: an unsubscribe link would opt the previewed person out.

import type { DeviceRow } from '../../../storage/tables/subscriber.ts';
import { type Attempt, endpointText, type RenderedContent } from '../../channels/attempt.ts';
import { catalog } from '../../channels/catalog.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { droppedOn } from '../../channels/dropped.ts';
import type { Failure } from '../../channels/outcome.ts';
import { payloadOf } from '../../channels/providers.ts';
import { limits } from '../../limits.ts';
import { contentFor, formOf } from '../content-for.ts';
import { inspectContent } from '../content-issues.ts';
import { renderContext, type TemplateSubscriber } from '../context.ts';
import { languageOf, localize } from '../localize.ts';
import type { ContentInput, ContentIssue, MessageContent } from '../message-schema.ts';
import type { PreviewRead } from './pool-read.ts';
import type { MessagePreview, PreviewFacts, PreviewItem } from './protocol.ts';

type Problem = NonNullable<PreviewItem['error']>;

/** In place of what only a send has. `.invalid` never resolves (RFC 2606); no id looks so. */
export const placeholders = {
  sendId: 'ntf_preview',
  deviceId: 'dev_preview',
  token: 'preview-device-token',
  phone: '+15555550100',
  address: 'preview@device.invalid',
  unsubscribeUrl: 'https://unsubscribe.invalid/preview',
} as const;

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
    const attempt = attemptOf(asked, spoken, channel, device, shown.content);
    const composed = payloadOf(attempt, nowMs);
    const more = charactersOf(shown.content) + charactersOf(composed);
    if (characters > 0 && characters + more > limits.pageCharsMax)
      return { ...item, error: tooLong };
    characters += more;
    const dropped = droppedOn(channel, shown.content, {
      address: endpointText(attempt),
      lane: attempt.lane,
    });
    const kept = dropped.length === 0 ? {} : { dropped };
    return 'payload' in composed
      ? { ...item, content: shown.content, payload: composed.payload, ...kept }
      : { ...item, content: shown.content, error: problemOfFailure(composed) };
  };
  return channels.map(itemOf);
}

/** The first device for a channel, enabled ones first. */
function deviceOn(devices: readonly DeviceRow[], channel: ChannelId): DeviceRow | undefined {
  const ofChannel = devices.filter((device) => device.channel === channel);
  return ofChannel.find(({ enabled }) => enabled) ?? ofChannel[0];
}

function attemptOf(
  { app, nowMs }: PreviewFacts,
  language: string | undefined,
  channel: ChannelId,
  device: DeviceRow | undefined,
  content: RenderedContent,
): Attempt {
  return {
    sendId: placeholders.sendId,
    deviceId: device?.id ?? placeholders.deviceId,
    appId: app.id,
    appName: app.name,
    channel,
    lane: 'bulk',
    attempt: 1,
    endpoint: device?.endpoint ?? endpointFor(channel),
    registeredMs: device?.createdMs ?? nowMs,
    content,
    acceptedMs: nowMs,
    ...(language === undefined ? {} : { language }),
    ...(app.wording === undefined ? {} : { wording: app.wording }),
    ...(channel === 'email' && {
      email: { ...app.email, unsubscribeUrl: placeholders.unsubscribeUrl },
    }),
  };
}

function problemOf({ field, message }: { field?: string; message: string }): Problem {
  return field === undefined ? { error: message } : { field, error: message };
}

/** The provider's refusal, as a send's receipt would word it. */
function problemOfFailure({ reason, detail }: Failure): Problem {
  return { error: detail === undefined ? reason : `${reason}: ${detail}` };
}

const tooLong = {
  field: 'channel',
  error: 'channel: the preview is too large to return with the others; request this channel alone',
} as const;

/** About how many characters a value adds to the response: those of its texts. */
function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  let characters = 0;
  for (const member of Object.values(value)) characters += charactersOf(member);
  return characters;
}

function endpointFor(channel: ChannelId): string {
  if (channel === 'email') return placeholders.address;
  return catalog[channel].identity === 'phone' ? placeholders.phone : placeholders.token;
}
