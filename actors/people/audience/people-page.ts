// People and devices as reads show them, and pages of people for lists.

import {
  accepted,
  type Context,
  type Decision,
  type DocumentReader,
  refused,
} from '../../../engine/actor/message.ts';
import type { Bitset } from '../../../engine/base/bitset.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { fieldFault } from '../../../engine/base/fault.ts';
import {
  type DeviceRow,
  endpoints,
  type SubscriberRow,
  subscribers,
} from '../../../storage/tables/subscriber.ts';
import { type SuppressionRow, suppressions } from '../../../storage/tables/suppression.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { listCursor, placeOfCursor } from '../../list-cursor.ts';
import { cursorIn, cursorOf } from '../../list-order.ts';
import type { AppSettings } from '../../tenants/accounts/records.ts';
import { displayNameOf, type NameSetting } from './display-name.ts';
import { endpointKey } from './endpoint-owner.ts';
import { endpointPolicy, normalizeEndpoint, storedIdentity } from './identity.ts';
import type {
  CountedPage,
  ListOrder,
  OrderedPage,
  ShownDevice,
  SubscriberView,
} from './protocol.ts';
import type { OptOutReads, PeopleReads } from './reads.ts';

export interface Listable extends OptOutReads {
  readonly people: Pick<PeopleReads, 'find'>;
  readonly traits: {
    readonly activity: { at(person: PersonOrdinal): Millis };
    reachOn(channel: ChannelId): Bitset;
    readonly alive: Bitset;
  };
  readonly settings: NameSetting & Pick<AppSettings, 'defaultCountry'>;
  readonly resting: RestingReads;
}

/** Addresses that rest after soft bounces; the gate, which keeps them, lies below. */
interface RestingReads {
  untilOfDevice(deviceId: string, nowMs: Millis): Millis | undefined;
}

interface PeoplePage extends OrderedPage {
  readonly externalUserId?: string;
  /** Of a device, in any form that its channel takes. */
  readonly address?: string;
  /** `address` must be a phone number. */
  readonly isPhone?: true;
  readonly channel?: ChannelId;
}

/** A page by ordinals, of everyone or of `among`, which it changes. */
export function pageOfPeople(
  app: Listable,
  among: Bitset | undefined,
  asked: PeoplePage,
  { owner, documents, nowMs }: Context,
): Decision<CountedPage<SubscriberView>> {
  const { externalUserId, address, channel, limit, cursor, order = 'oldest' } = asked;
  const own = cursor === undefined ? undefined : cursorOf(order, cursor);
  const place = own === undefined ? undefined : placeOfCursor('people', owner, own);
  if (cursor !== undefined && place === undefined)
    return refused(fieldFault('cursor', 'invalid cursor for this list'));
  const reach = channel === undefined ? undefined : app.traits.reachOn(channel);
  const some = reach === undefined ? among : (among?.and(reach) ?? reach);
  const problem = asked.isPhone === true ? phoneProblem(app, address ?? '') : undefined;
  if (problem !== undefined) return refused(fieldFault('phone', problem));
  if (externalUserId !== undefined || address !== undefined) {
    const people = address === undefined ? undefined : peopleWith(app, address, documents);
    const named = externalUserId === undefined ? undefined : app.people.find(externalUserId);
    const found =
      externalUserId === undefined ? (people ?? []) : named === undefined ? [] : [named];
    const shown = found.filter(
      (person) => people?.includes(person) !== false && some?.test(person) !== false,
    );
    const rows = shown.flatMap((person) => documents.get(subscribers, [person]) ?? []);
    const items = rows.map((row) => viewOf(app, row, { documents, nowMs }));
    return accepted({ items, nextCursor: null, total: items.length });
  }
  const total = (some ?? app.traits.alive).count();
  const walk = some === undefined ? rowsFrom(documents, order) : rowsOf(some, documents, order);
  const items: SubscriberView[] = [];
  for (const row of walk(place, limit + 1)) {
    if (items.length === limit) {
      const nextCursor = cursorIn(order, listCursor('people', owner, row.person));
      return accepted({ items, nextCursor, total });
    }
    items.push(viewOf(app, row, { documents, nowMs }));
  }
  return accepted({ items, nextCursor: null, total });
}

function phoneProblem({ settings }: Pick<Listable, 'settings'>, text: string): string | undefined {
  const normal = normalizeEndpoint('sms', text, endpointPolicy(settings));
  return 'problem' in normal ? normal.problem : undefined;
}

/** People with a device of this address on any channel; each once. */
export function peopleWith(
  { settings }: Pick<Listable, 'settings'>,
  address: string,
  documents: DocumentReader,
): readonly PersonOrdinal[] {
  const policy = endpointPolicy(settings);
  const found = new Set<PersonOrdinal>();
  for (const channel of channelIds) {
    const normal = normalizeEndpoint(channel, address, policy);
    if ('problem' in normal) continue;
    const owner = documents.get(endpoints, endpointKey(channel, normal.key));
    if (owner !== undefined) found.add(owner.person);
  }
  return [...found].sort((one, other) => one - other);
}

type Walk = (from: PersonOrdinal | undefined, most: number) => Iterable<SubscriberRow>;

/** Everyone's rows, from a person on. */
function rowsFrom(documents: DocumentReader, order: ListOrder): Walk {
  return (from, most) => {
    const range =
      order === 'newest'
        ? { reverse: true, ...(from === undefined ? {} : { to: [from + 1] }) }
        : { from: [from ?? 0] };
    return documents.range(subscribers, { ...range, limit: most }).map(({ value }) => value);
  };
}

function rowsOf(some: Bitset, documents: DocumentReader, order: ListOrder): Walk {
  return function* (from, most) {
    const isNewest = order === 'newest';
    const step = (person: PersonOrdinal) =>
      isNewest ? (person < 0 ? -1 : some.previousFrom(person)) : some.nextFrom(person);
    let left = most;
    let person = step(from ?? (isNewest ? 0xffffffff : 0));
    for (; person >= 0 && left > 0; person = step(isNewest ? person - 1 : person + 1)) {
      const row = documents.get(subscribers, [person]);
      if (row === undefined) continue;
      left--;
      yield row;
    }
  };
}

export function viewOf(
  app: Pick<Listable, 'traits' | 'settings' | 'resting'> & OptOutReads,
  row: SubscriberRow,
  context: Pick<Context, 'documents' | 'nowMs'>,
): SubscriberView {
  const { unclaimed, generation, proven, endedSessions, ...shown } = row;
  return {
    ...shown,
    devices: row.devices.map((device) => shownDevice(app, device, context)),
    externalUserId: row.externalUserId ?? null,
    displayName: displayNameOf(app.settings, row.tags),
    preferredChannels: row.preferredChannels ?? null,
    timezone: row.timezone ?? null,
    lastActiveMs: app.traits.activity.at(row.person) || null,
  };
}

/** Reads the record of an opt-out only where there is one. */
export function shownDevice(
  app: OptOutReads & Pick<Listable, 'resting'>,
  stored: DeviceRow,
  { documents, nowMs }: Pick<Context, 'documents' | 'nowMs'>,
): ShownDevice {
  const restingUntilMs = app.resting.untilOfDevice(stored.id, nowMs);
  const device = restingUntilMs === undefined ? stored : { ...stored, restingUntilMs };
  const identity = identityOf(device);
  if (identity === undefined) return { ...device, suppressed: null };
  const isAll = app.suppressions.has(identity);
  if (!isAll && !app.marketingOptOuts.has(identity)) return { ...device, suppressed: null };
  const row = documents.get(suppressions, [identity]);
  return withOptOut(device, isAll ? 'all' : 'marketing', row);
}

/** The same from the record alone, for a reader that does not have the app's memory. */
export function storedDevice(
  device: DeviceRow,
  documents: Pick<DocumentReader, 'get'>,
): ShownDevice {
  const identity = identityOf(device);
  const row = identity === undefined ? undefined : documents.get(suppressions, [identity]);
  if (row === undefined) return { ...device, suppressed: null };
  return withOptOut(device, row.scope ?? 'all', row);
}

function identityOf({ channel, endpoint }: DeviceRow): string | undefined {
  return typeof endpoint === 'string' ? storedIdentity(channel as ChannelId, endpoint) : undefined;
}

function withOptOut(
  device: DeviceRow,
  scope: 'all' | 'marketing',
  row: SuppressionRow | undefined,
): ShownDevice {
  const reason = row?.reason ?? row?.source ?? null;
  const suppressed = { scope, reason, source: row?.source ?? null, atMs: row?.createdMs ?? null };
  return { ...device, suppressed };
}
