// What a person wants: channels, topics, language and time zone, and what they cannot be sent. One
// view of the record for the API, for clients and for the pages that people see.

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import { fieldFault } from '../../../engine/base/fault.ts';
import type { SubscriberRow, TagValue } from '../../../storage/tables/subscriber.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { choiceTag } from '../topics/choice-tag.ts';
import { allChoices, type TopicChoice } from '../topics/choices.ts';
import type { TopicsReads } from '../topics/reads.ts';
import { storedIdentity, takesMarketing } from './identity.ts';
import type { PreferenceChange, Preferences } from './protocol.ts';
import type { OptOutReads } from './reads.ts';
import { type UpsertReads, upsert } from './upsert.ts';

interface Who {
  /** Without an API key: what needs a confirmation waits for it. */
  readonly isClient: boolean;
  readonly vouched: boolean;
}

export function preferencesOf(app: OptOutReads & TopicsReads, row: SubscriberRow): Preferences {
  const { preferredChannels, timezone = null, tags } = row;
  return {
    channels: (preferredChannels as readonly ChannelId[] | undefined) ?? null,
    topics: allChoices(app.topics, tags),
    language: textOf(tags['language']) ?? textOf(tags['locale']) ?? null,
    timezone,
    suppressed: channelIds.filter((channel) => isSuppressed(app, row, channel)),
  };
}

export function changePreferences(
  app: UpsertReads & OptOutReads,
  row: SubscriberRow,
  { channels, topics, language, timezone }: PreferenceChange,
  { isClient, vouched }: Who,
  context: Context,
): Decision<Preferences> {
  const input = {
    ...(channels === undefined ? {} : { preferredChannels: channels }),
    ...(topics === undefined ? {} : { topics: chosen(topics, row) }),
    ...(language === undefined ? {} : { tags: { language } }),
    ...(timezone === undefined ? {} : { timezone }),
  };
  const keyless = isClient ? { keyless: {} } : {};
  const result = upsert(app, input, row, context, { ...keyless, vouched, skipsUnchanged: true });
  if ('fault' in result) {
    const { fault } = result;
    return refused(
      fault.field === 'preferredChannels'
        ? fieldFault('channels', fault.message.slice(fault.field.length + 2))
        : fault,
    );
  }
  const { entries, documents } = result;
  return accepted(preferencesOf(app, result.row), { entries, documents });
}

/** Whether a change only ends things: a full org or disk keeps nobody from leaving a topic. */
export function isLeaving({ topics = {}, ...rest }: PreferenceChange): boolean {
  return (
    Object.values(topics).every((choice) => choice === 'out') &&
    Object.values(rest).every((value) => value === null)
  );
}

/** Without what waits already: whoever sends back what they read changes nothing. */
function chosen(
  topics: NonNullable<PreferenceChange['topics']>,
  { tags }: SubscriberRow,
): Readonly<Record<string, TagValue | null>> {
  const isSame = ([key, choice]: readonly [string, TopicChoice | null]) =>
    choice === 'pending' && tags[choiceTag(key)] === 'pending';
  return Object.fromEntries(Object.entries(topics).filter((one) => !isSame(one)));
}

function isSuppressed(app: OptOutReads, { devices }: SubscriberRow, channel: ChannelId): boolean {
  const identities = devices.flatMap((device) =>
    device.enabled && device.channel === channel && typeof device.endpoint === 'string'
      ? (storedIdentity(channel, device.endpoint) ?? [])
      : [],
  );
  return identities.length > 0 && !identities.some((one) => takesMarketing(app, one));
}

function textOf(value: TagValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
