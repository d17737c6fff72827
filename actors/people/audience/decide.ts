// Decisions about people, their devices and opt-outs.

import {
  accepted,
  type Context,
  type Decision,
  type DocumentWrite,
  refused,
} from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import type { Bitset } from '../../../engine/base/bitset.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { parseId } from '../../../engine/base/id.ts';
import { deviceSends } from '../../../storage/tables/device-send.ts';
import {
  aliases,
  type DeviceRow,
  type EndpointRow,
  endpoints,
  type SubscriberRow,
  subscribers,
} from '../../../storage/tables/subscriber.ts';
import { type SuppressionRow, suppressions } from '../../../storage/tables/suppression.ts';
import { catalog } from '../../channels/catalog.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { notFound } from '../../faults.ts';
import { listCursor, placeOfCursor } from '../../list-cursor.ts';
import type { AppState, PartitionState } from '../../state.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { identityKey, normaliseEndpoint, parseIdentityKey } from './identity.ts';
import { importSlice } from './import.ts';
import type {
  AudienceEntry,
  AudienceProtocol,
  Page,
  PersonRef,
  SubscriberView,
} from './protocol.ts';
import { endpointKey, upsert, withNewDevice } from './upsert.ts';

/** The most rows one page of a filtered list looks at before it hands back a cursor. */
const scanMax = 10_000;

export interface AudienceRules {
  /** Take `http` push endpoints (sandbox mode, or private networks allowed). */
  readonly allowHttpEndpoints: boolean;
}

export function audienceDecisions(rules: AudienceRules): AudienceDecisions {
  return {
    ...peopleDecisions(rules),
    ...suppressionDecisions(),
    'suppression.list': listSuppressions,
  };
}

type AudienceDecisions = Decisions<AudienceProtocol, PartitionState>;

function peopleDecisions({
  allowHttpEndpoints: allowHttp,
}: AudienceRules): Omit<AudienceDecisions, `suppression.${string}`> {
  return {
    'subscriber.upsert': (state, { subscriber }, context) =>
      withApp(state, context, (app) => {
        const known = subscriber.externalUserId;
        const existing =
          known === undefined ? undefined : readPerson(app, { externalUserId: known }, context);
        const result = upsert(app, subscriber, existing, context, { allowHttp });
        if ('fault' in result) return refused(result.fault);
        const { row, created, entries, documents } = result;
        return accepted({ subscriber: viewOf(app, row), created }, { entries, documents });
      }),

    'subscriber.import': (state, { rows }, context) =>
      withApp(state, context, (app) => importSlice(app, rows, context, allowHttp)),

    'subscriber.read': (state, { ref }, context) =>
      withPerson(state, ref, context, (app, row) => accepted(viewOf(app, row))),

    'subscriber.patch': (state, { ref, patch }, context) =>
      withPerson(state, ref, context, (app, row) => {
        const result = upsert(app, patch, row, context, { allowHttp });
        if ('fault' in result) return refused(result.fault);
        return accepted(viewOf(app, result.row), {
          entries: result.entries,
          documents: result.documents,
        });
      }),

    'subscriber.list': (state, message, context) =>
      withApp(state, context, (app) => pageOfPeople(app, undefined, message, context)),

    'device.add': (state, { ref, device }, context) =>
      withPerson(state, ref, context, (_app, row) => {
        const added = withNewDevice(row.person, row.devices, device, 'device', context, allowHttp);
        if ('fault' in added) return refused(unprefixed(added.fault));
        return changeDevices(row, added.devices, context, accepted(added.device), added);
      }),

    'device.enable': (state, { ref, deviceId, enabled }, context) =>
      withDevice(state, ref, deviceId, context, (row, device) => {
        const { disabledReason: _reason, ...rest } = device;
        const next: DeviceRow = {
          ...rest,
          enabled,
          ...(enabled ? {} : { disabledReason: 'disabled_by_caller' }),
          updatedMs: context.nowMs,
        };
        const devices = row.devices.map((old) => (old.id === deviceId ? next : old));
        return changeDevices(row, devices, context, accepted(next));
      }),

    'device.remove': (state, { ref, deviceId }, context) =>
      withDevice(state, ref, deviceId, context, (row, device) => {
        const devices = row.devices.filter((old) => old.id !== deviceId);
        return changeDevices(row, devices, context, accepted(null), {
          documents: [
            forgetEndpoint(device),
            { table: deviceSends, key: [deviceId], value: undefined },
          ],
          entries: [],
        });
      }),
  };
}

function suppressionDecisions(): Pick<AudienceDecisions, 'suppression.add' | 'suppression.remove'> {
  return {
    'suppression.add': (state, { channel, address, reason, source }, context) =>
      withApp(state, context, () => {
        const key = suppressible(channel, address);
        if (typeof key !== 'string') return refused(key.fault);
        const known = context.documents.get(suppressions, [key]);
        // A person's own STOP may be lifted by their START; what somebody else asks for as well may
        // not.
        const isOthers = known?.source === 'callback' && source !== 'callback';
        if (known !== undefined && !isOthers) return accepted(known);
        const named = parseIdentityKey(key);
        const row: SuppressionRow = {
          identity: named?.identity ?? channel,
          address: named?.address ?? address,
          ...(reason === undefined ? {} : { reason }),
          source,
          createdMs: context.nowMs,
        };
        const entry: AudienceEntry = {
          kind: 'suppression.added',
          owner: context.owner,
          identityKey: key,
          ...(source === 'unsubscribe' &&
            known === undefined && {
              unsubscribed: {
                people: peopleAt(key, context),
                firstEvent: 0,
                atMs: context.nowMs,
                channel,
                source,
                ...(reason === undefined ? {} : { reason }),
              },
            }),
        };
        return accepted(row, {
          entries: [entry],
          documents: [{ table: suppressions, key: [key], value: row }],
        });
      }),

    'suppression.remove': (state, { channel, address }, context) =>
      withApp(state, context, (app) => {
        const key = suppressible(channel, address);
        if (typeof key !== 'string') return refused(key.fault);
        if (!app.suppressions.has(key)) return refused(notFound('suppression'));
        const entry: AudienceEntry = {
          kind: 'suppression.removed',
          owner: context.owner,
          identityKey: key,
        };
        return accepted(null, {
          entries: [entry],
          documents: [{ table: suppressions, key: [key], value: undefined }],
        });
      }),
  };
}

const listSuppressions: AudienceDecisions['suppression.list'] = (state, message, context) =>
  withApp(state, context, () => {
    const { channel, address, limit, cursor } = message;
    if (channel !== undefined && address !== undefined) {
      const key = suppressible(channel, address);
      if (typeof key !== 'string') return refused(key.fault);
      const row = context.documents.get(suppressions, [key]);
      return accepted({ items: row === undefined ? [] : [row], nextCursor: null });
    }
    const identity = channel === undefined ? undefined : catalog[channel].identity;
    if (channel !== undefined && identity === undefined) {
      return refused(
        fieldFault('channel', `${channel} has no suppressions; disable its devices instead`),
      );
    }
    const items: SuppressionRow[] = [];
    let next: string | null = null;
    const from = cursor ?? (identity === undefined ? '' : `${identity}:`);
    const rowsMax = address === undefined ? limit + 1 : scanMax;
    const rows = context.documents.range(suppressions, { from: [from], limit: rowsMax });
    for (const [place, { key, value }] of rows.entries()) {
      if (identity !== undefined && value.identity !== identity) break;
      // The last row of a full page is looked at on the next one, whatever this one has found.
      if (items.length === limit || place === rowsMax - 1) {
        next = String(key[0]);
        break;
      }
      if (address === undefined || value.address === address) items.push(value);
    }
    return accepted({ items, nextCursor: next });
  });

/** Which people a page has, beside those it is to be among. */
interface PeoplePage {
  readonly externalUserId?: string;
  readonly channel?: ChannelId;
  readonly limit: number;
  readonly cursor?: string;
}

/** A page of an app's people by their ordinals: of everybody, or of `among`, which is changed. */
export function pageOfPeople(
  app: AppState,
  among: Bitset | undefined,
  { externalUserId, channel, limit, cursor }: PeoplePage,
  { owner, documents }: Context,
): Decision<Page<SubscriberView>> {
  const from = cursor === undefined ? 0 : placeOfCursor('people', owner, cursor);
  if (from === undefined) return refused(fieldFault('cursor', 'invalid cursor for this list'));
  const reach = channel === undefined ? undefined : app.traits.reachOn(channel);
  const some = reach === undefined ? among : (among?.and(reach) ?? reach);
  if (externalUserId !== undefined) {
    const person = app.people.find(externalUserId);
    const row = person === undefined ? undefined : documents.get(subscribers, [person]);
    const isShown = row !== undefined && some?.test(row.person) !== false;
    return accepted({ items: isShown ? [viewOf(app, row)] : [], nextCursor: null });
  }
  const items: SubscriberView[] = [];
  let next = -1;
  if (some === undefined) {
    const rows = documents.range(subscribers, { from: [from], limit: limit + 1 });
    for (const { value } of rows.slice(0, limit)) items.push(viewOf(app, value));
    next = rows[limit]?.value.person ?? -1;
  } else {
    for (next = some.nextFrom(from); next >= 0 && items.length < limit; ) {
      const row = documents.get(subscribers, [next]);
      if (row !== undefined) items.push(viewOf(app, row));
      next = some.nextFrom(next + 1);
    }
  }
  return accepted({ items, nextCursor: next < 0 ? null : listCursor('people', owner, next) });
}

/**
 * The record of a person, or `undefined`; an id of another app is nobody here. The id of somebody
 * who was merged leads to the person they are now.
 */
export function readPerson(
  app: AppState,
  ref: PersonRef,
  context: Context,
): SubscriberRow | undefined {
  if ('id' in ref) {
    const parts = parseId('sub', ref.id);
    if (parts === undefined || parts.ordinal !== context.owner) return undefined;
    const row = context.documents.get(subscribers, [parts.low32]);
    if (row !== undefined) return row.id === ref.id ? row : undefined;
    const person = app.people.canonical(parts.low32);
    if (person === parts.low32 || context.documents.get(aliases, [parts.low32])?.id !== ref.id)
      return;
    return context.documents.get(subscribers, [person]);
  }
  const person = app.people.find(ref.externalUserId);
  return person === undefined ? undefined : context.documents.get(subscribers, [person]);
}

/** The person that a body names as its recipient, or a 404 that names the member. */
export function namedRecipient(
  app: AppState,
  ref: PersonRef,
  context: Context,
): { readonly person: SubscriberRow } | { readonly fault: Fault } {
  const person = readPerson(app, ref, context);
  if (person !== undefined) return { person };
  const field = 'id' in ref ? 'subscriberId' : 'externalUserId';
  return { fault: { ...notFound(`${field}: subscriber`), field } };
}

/** Decides about a person of this app, or refuses with 404. */
export function withPerson<R>(
  state: PartitionState,
  ref: PersonRef,
  context: Context,
  decide: (app: AppState, row: SubscriberRow) => Decision<R>,
): Decision<R> {
  return withApp(state, context, (app) => {
    const row = readPerson(app, ref, context);
    return row === undefined ? refused(notFound('subscriber')) : decide(app, row);
  });
}

function withDevice<R>(
  state: PartitionState,
  ref: PersonRef,
  deviceId: string,
  context: Context,
  decide: (row: SubscriberRow, device: DeviceRow) => Decision<R>,
): Decision<R> {
  return withPerson(state, ref, context, (_app, row) => {
    const device = row.devices.find((one) => one.id === deviceId);
    return device === undefined ? refused(notFound('device')) : decide(row, device);
  });
}

function changeDevices<R>(
  row: SubscriberRow,
  devices: readonly DeviceRow[],
  context: Context,
  decision: Decision<R>,
  also: {
    readonly documents: readonly DocumentWrite[];
    readonly entries: readonly import('../../../engine/actor/message.ts').Entry[];
  } = {
    documents: [],
    entries: [],
  },
): Decision<R> {
  if (decision.outcome !== 'accepted') return decision;
  const entry: AudienceEntry = {
    kind: 'subscriber.changed',
    owner: context.owner,
    person: row.person,
    atMs: context.nowMs,
  };
  const value: SubscriberRow = { ...row, devices, updatedMs: context.nowMs };
  return {
    ...decision,
    entries: [entry, ...also.entries],
    documents: [{ table: subscribers, key: [row.person], value }, ...also.documents],
  };
}

/** Takes a device out of the index of endpoints. */
export function forgetEndpoint(device: DeviceRow): DocumentWrite {
  return endpointWrite(device, undefined);
}

/** Files a stored device's endpoint under its owner, or under nobody. */
export function endpointWrite(device: DeviceRow, owner: EndpointRow | undefined): DocumentWrite {
  const normal = normaliseEndpoint(device.channel as ChannelId, device.endpoint, {
    allowHttp: true,
  });
  const key = 'problem' in normal ? JSON.stringify(device.endpoint) : normal.key;
  return { table: endpoints, key: endpointKey(device.channel, key), value: owner };
}

/** Who has a device with this identity, on any channel of its class; each of them once. */
export function peopleAt(key: string, { documents }: Pick<Context, 'documents'>): PersonOrdinal[] {
  const named = parseIdentityKey(key);
  if (named === undefined) return [];
  const people = new Set<PersonOrdinal>();
  for (const channel of channelIds) {
    if (catalog[channel].identity !== named.identity) continue;
    const normal = normaliseEndpoint(channel, named.address);
    if ('problem' in normal) continue;
    const owner = documents.get(endpoints, endpointKey(channel, normal.key));
    if (owner !== undefined) people.add(owner.person);
  }
  return [...people];
}

function suppressible(
  channel: ChannelId,
  address: string,
): string | { readonly fault: ReturnType<typeof fieldFault> } {
  if (catalog[channel].identity === undefined) {
    return {
      fault: fieldFault('channel', `${channel} has no suppressions; disable its devices instead`),
    };
  }
  const key = identityKey(channel, address);
  return key ?? { fault: fieldFault('address', `expected the ${catalog[channel].endpointIs}`) };
}

/** A fault about `device`, as one about a body that is the device. */
export function unprefixed<F extends { readonly field?: string; readonly message: string }>(
  fault: F,
): F {
  const strip = (text: string) => text.replace(/^device\./, '').replace(/^device: /, '');
  return {
    ...fault,
    message: strip(fault.message),
    ...(fault.field ? { field: strip(fault.field) } : {}),
  };
}

export function viewOf(app: AppState, row: SubscriberRow): SubscriberView {
  return {
    ...row,
    externalUserId: row.externalUserId ?? null,
    preferredChannels: row.preferredChannels ?? null,
    timezone: row.timezone ?? null,
    lastActiveMs: app.traits.activity.at(row.person) || null,
  };
}
