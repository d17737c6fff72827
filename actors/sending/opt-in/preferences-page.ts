// The preference centre: what a person sees and changes behind the link of a message. Whoever has
// read a mail to one of the person's own addresses has confirmed what they choose.

import {
  accepted,
  type Context,
  type Decision,
  type DocumentWrite,
  type Entry,
} from '../../../engine/actor/message.ts';
import { type SubscriberRow, subscribers } from '../../../storage/tables/subscriber.ts';
import { suppressions } from '../../../storage/tables/suppression.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { addOptOut } from '../../people/audience/add-opt-out.ts';
import { storedIdentity, takesMarketing } from '../../people/audience/identity.ts';
import { isOwnOptOut } from '../../people/audience/opt-out.ts';
import { changePreferences, preferencesOf } from '../../people/audience/preferences.ts';
import type { AudienceEntry } from '../../people/audience/protocol.ts';
import { askingPending } from '../../people/topics/ask-pending.ts';
import { allChoices } from '../../people/topics/choices.ts';
import { masked } from './masked.ts';
import type { OptInView } from './memory.ts';
import type { PageChange, PreferencesNamed, PreferencesPage } from './protocol.ts';

export function preferencesPage(
  app: OptInView,
  { person }: PreferencesNamed,
  context: Context,
): PreferencesPage {
  const row = personOf(app, person, context);
  return row === undefined ? { state: 'gone' } : pageOf(app, row);
}

export function setPreferences(
  app: OptInView,
  { person, address, change }: PreferencesNamed & { readonly change: PageChange },
  context: Context,
): Decision<PreferencesPage> {
  const row = personOf(app, person, context);
  if (row === undefined) return accepted({ state: 'gone' });
  const isProven = address !== undefined && hasAddress(row, address);
  const wanted = change.isNothing ? nothing(app) : wantedBy(app, row, change);
  const set = changePreferences(app, row, wanted, { isClient: !isProven, vouched: true }, context);
  if (set.outcome === 'refused') return set;
  const asked = askingPending(set, row, context);
  const isLeaving = change.isNothing || wantsNoChannel(row, change);
  const optOuts = isLeaving ? leaving(row, app, context) : returning(app, row, address, context);
  const now = set.documents?.find(({ table }) => table.id === subscribers.id)?.value ?? row;
  const page = pageOf(app, now as SubscriberRow, optOuts.isOut);
  return {
    ...asked,
    reply: page,
    entries: [...(set.entries ?? []), ...optOuts.entries],
    documents: [...(set.documents ?? []), ...optOuts.documents],
  } as Decision<PreferencesPage>;
}

function personOf(
  app: OptInView,
  person: number,
  { documents }: Context,
): SubscriberRow | undefined {
  return documents.get(subscribers, [app.people.canonical(person)]);
}

function hasAddress({ devices }: SubscriberRow, address: string): boolean {
  return devices.some(
    ({ channel, endpoint, enabled }) => channel === 'email' && endpoint === address && enabled,
  );
}

function pageOf(app: OptInView, row: SubscriberRow, isOut = isOutOfAll(app, row)): PreferencesPage {
  const { channels, language } = preferencesOf(app, row);
  const devices = row.devices.filter(({ enabled }) => enabled);
  const own = channelIds.filter((channel) => devices.some((one) => one.channel === channel));
  const choices = allChoices(app.topics, row.tags);
  return {
    state: 'open',
    channels: own.map((channel) => ({
      channel,
      isOn: !isOut && (channels === null || channels.includes(channel)),
      addresses: devices.flatMap(({ channel: of, endpoint }) =>
        of === channel && storedIdentity(channel, String(endpoint)) !== undefined
          ? [masked(String(endpoint))]
          : [],
      ),
    })),
    topics: [...app.topics.values()].map((topic) => ({
      key: topic.key,
      name: topic.name,
      ...(topic.description === undefined ? {} : { description: topic.description }),
      choice: choices[topic.key] ?? topic.default,
    })),
    language,
    isOut,
  };
}

/** Nothing of marketing reaches them, by their own wish. */
function isOutOfAll(app: OptInView, row: SubscriberRow): boolean {
  const identities = identitiesOf(row);
  const isOut = identities.length > 0 && !identities.some(([, key]) => takesMarketing(app, key));
  const { preferredChannels: wanted } = row;
  const isReached = row.devices.some(
    ({ enabled, channel }) =>
      enabled && !isAddress(channel) && (wanted === undefined || wanted.includes(channel)),
  );
  return isOut ? !isReached : identities.length === 0 && !isReached && wanted !== undefined;
}

function isAddress(channel: string): boolean {
  return storedIdentity(channel as ChannelId, 'x') !== undefined;
}

function identitiesOf({ devices }: SubscriberRow): readonly (readonly [ChannelId, string])[] {
  return devices.flatMap(({ channel, endpoint, enabled }) => {
    const id = channel as ChannelId;
    const key = typeof endpoint === 'string' ? storedIdentity(id, endpoint) : undefined;
    return enabled && key !== undefined ? [[id, key] as const] : [];
  });
}

/** Turned off everywhere: no preference is left to store, and none would mean every channel. */
function wantsNoChannel({ devices }: SubscriberRow, { channels }: PageChange): boolean {
  const own = devices.filter(({ enabled }) => enabled);
  return own.length > 0 && !own.some(({ channel }) => channels.includes(channel));
}

/** Only what the page showed: a topic that came meanwhile was not decided about. */
function wantedBy({ topics }: OptInView, row: SubscriberRow, change: PageChange) {
  const { shown, on, channels, language } = change;
  const now = allChoices(topics, row.tags);
  const changed = shown.flatMap((key) => {
    if (!topics.has(key)) return [];
    const wants = on.includes(key);
    const isSame = wants === (now[key] !== 'out');
    return isSame ? [] : [[key, wants ? 'in' : 'out'] as const];
  });
  const own = new Set(row.devices.flatMap((one) => (one.enabled ? [one.channel] : [])));
  const chosen = channels.filter((channel) => own.has(channel));
  const others = (row.preferredChannels ?? []).filter((channel) => !own.has(channel));
  const isAll = chosen.length === own.size;
  const preferred =
    chosen.length === 0 ? emailAlone : ([...chosen, ...others] as readonly ChannelId[]);
  return {
    ...(changed.length === 0 ? {} : { topics: Object.fromEntries(changed) }),
    ...(own.size === 0 ? {} : { channels: isAll ? null : preferred }),
    ...(language === undefined ? {} : { language }),
  };
}

/** Push has no opt-out, so the person wants email alone, and every address opts out of it. */
const emailAlone: readonly ChannelId[] = ['email'];

function nothing({ topics }: OptInView) {
  const out = [...topics.keys()].map((key) => [key, 'out'] as const);
  return { channels: emailAlone, ...(out.length === 0 ? {} : { topics: Object.fromEntries(out) }) };
}

interface OptOuts {
  readonly isOut: boolean;
  readonly entries: readonly Entry[];
  readonly documents: readonly DocumentWrite[];
}

function leaving(row: SubscriberRow, { settings }: OptInView, context: Context): OptOuts {
  const narrow = settings.unsubscribeScope === 'marketing' ? { scope: 'marketing' as const } : {};
  const entries: Entry[] = [];
  const documents: DocumentWrite[] = [];
  const seen = new Set<string>();
  for (const [channel, key] of identitiesOf(row)) {
    if (seen.has(key)) continue;
    seen.add(key);
    const asked = {
      channel,
      source: 'unsubscribe',
      unsubscribedBy: 'unsubscribe',
      ...narrow,
    } as const;
    const made = addOptOut(key, asked, context);
    entries.push(...made.entries);
    documents.push(...made.documents);
  }
  return { isOut: true, entries, documents };
}

/** Whoever chooses again ends their own opt-out of the address whose mail they have read. */
function returning(
  app: OptInView,
  row: SubscriberRow,
  address: string | undefined,
  { owner, documents: reader }: Context,
): OptOuts {
  const isOut = isOutOfAll(app, row);
  if (!isOut || address === undefined || !hasAddress(row, address))
    return { isOut, entries: [], documents: [] };
  const key = storedIdentity('email', address) as string;
  const optOut = reader.get(suppressions, [key]);
  if (optOut === undefined || !isOwnOptOut(optOut)) return { isOut, entries: [], documents: [] };
  const entry: AudienceEntry = { kind: 'suppression.removed', owner, identityKey: key };
  const gone = { table: suppressions, key: [key], value: undefined };
  return { isOut: false, entries: [entry], documents: [gone] };
}
