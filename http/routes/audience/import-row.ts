// Reads one row of an import: the body of an upsert. A hand-written check accepts common valid
// rows, about twenty times as fast as the schema, which checks all others and words their problems.
// A device in a wrong form is left out, with its problem; the rest of its row stays.

import type { z } from 'zod';
import { type ChannelId, channelIds } from '../../../actors/channels/channel-ids.ts';
import { limits } from '../../../actors/limits.ts';
import { nearName } from '../../../actors/near-name.ts';
import type { DeviceInput, SubscriberInput } from '../../../actors/people/audience/protocol.ts';
import { tagsInNfc } from '../../../actors/people/audience/tags.ts';
import { faultOfIssues, pathText } from '../../call/answer/errors.ts';
import { brokenTextIn } from '../../call/body/well-formed.ts';
import { canonicalZone, isOneLine, isTimeZone } from '../../call/schemas/schemas.ts';
import { disabledReasonPattern, subscriberBody, subscriberMessage } from './subscriber-shape.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** In the actor's form, or its problem, beginning with the field. */
export type ImportRow = SubscriberInput | { readonly problem: string };

/** `mayBeBroken`: some text of the call may hold half a surrogate pair, so each row is searched. */
export function readRow(row: unknown, mayBeBroken = false): ImportRow {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) {
    return { problem: 'row: expected an object' };
  }
  if (mayBeBroken) {
    const broken = brokenTextIn(row);
    if (broken !== undefined) {
      const what = broken.isKey ? 'has a key with' : 'holds';
      const where = pathText(broken.path) || 'row';
      return { problem: `${where}: ${what} an unpaired surrogate; expected valid Unicode` };
    }
  }
  return unknownRow(row) ?? plainRow(row) ?? judgedRow(row);
}

/** A row of which nothing is known would create a person without anything. */
function unknownRow(row: object): ImportRow | undefined {
  let sent: string | undefined;
  for (const name in row) {
    if (Object.hasOwn(subscriberBody.shape, name)) return undefined;
    sent ??= name;
  }
  if (sent === undefined) return undefined;
  const meant = nearName(sent, Object.keys(subscriberBody.shape));
  const problem =
    meant === undefined
      ? `unknown; the row has none of ${Object.keys(subscriberBody.shape).join(', ')}`
      : `unknown; did you mean ${meant}?`;
  return { problem: `${sent.slice(0, 64)}: ${problem}` };
}

export function judgedRow(row: object): ImportRow {
  const parsed = subscriberBody.safeParse(row, { reportInput: true });
  if (parsed.success) return subscriberMessage(parsed.data);
  return withoutBadDevices(row, parsed.error) ?? problemOf(parsed.error);
}

function problemOf(error: z.ZodError): { readonly problem: string } {
  return { problem: faultOfIssues(error, 'body').message };
}

/** The row without the devices that the schema refuses; `undefined` if it refuses more. */
function withoutBadDevices(row: object, { issues }: z.ZodError): ImportRow | undefined {
  const { devices } = row as { readonly devices?: unknown };
  const bad = new Set(issues.map(({ path: [first, place] }) => (first === 'devices' ? place : -1)));
  if (!Array.isArray(devices) || bad.has(-1) || bad.has(undefined)) return undefined;
  const places = [...devices.keys()].filter((place) => !bad.has(place));
  const kept = { ...row, devices: places.map((place) => devices[place]) };
  const parsed = subscriberBody.safeParse(kept, { reportInput: true });
  if (!parsed.success) return problemOf(parsed.error);
  const { devices: good = [], ...rest } = subscriberMessage(parsed.data);
  const refused = [...bad].map((device) => {
    const own = issues.filter(({ path }) => path[1] === device);
    return { device: Number(device), error: faultOfIssues({ issues: own }, 'body').message };
  });
  const placed = good.map((device, nth) => ({ ...device, place: places[nth] ?? nth }));
  return { ...rest, devices: placed, refused };
}

/** The same for common valid rows; `undefined` if the schema must check it. */
export function plainRow(row: object): SubscriberInput | undefined {
  // Choices are rare, and the schema checks them.
  if (Object.hasOwn(row, 'topics')) return undefined;
  const { externalUserId, tags, timezone, preferredChannels, devices } = row as {
    readonly [K in keyof SubscriberInput]: unknown;
  };
  const read: Mutable<SubscriberInput> = {};
  if (externalUserId !== undefined && externalUserId !== null) {
    if (!isPlainId(externalUserId)) return undefined;
    read.externalUserId = externalUserId;
  }
  if (tags !== undefined) {
    if (typeof tags !== 'object' || tags === null || Array.isArray(tags)) return undefined;
    if (tagsInNfc(tags as Readonly<Record<string, unknown>>) !== tags) return undefined;
    read.tags = tags as NonNullable<SubscriberInput['tags']>; // the actor checks each of them
  }
  if (timezone !== undefined) {
    if (timezone !== null && (typeof timezone !== 'string' || !isTimeZone(timezone)))
      return undefined;
    read.timezone = timezone === null ? null : canonicalZone(timezone);
  }
  if (preferredChannels !== undefined) {
    if (preferredChannels !== null && !isChannelList(preferredChannels)) return undefined;
    read.preferredChannels = preferredChannels === null ? null : [...new Set(preferredChannels)];
  }
  if (devices !== undefined) {
    if (!Array.isArray(devices) || devices.length > limits.devicesMax) return undefined;
    const plain: DeviceInput[] = [];
    for (const device of devices) {
      const one = plainDevice(device);
      if (one === undefined) return undefined;
      plain.push(one);
    }
    read.devices = plain;
  }
  return read;
}

function plainDevice(device: unknown): DeviceInput | undefined {
  if (typeof device !== 'object' || device === null || Array.isArray(device)) return undefined;
  const { channel, endpoint, environment, enabled, disabledReason } = device as {
    readonly [K in keyof DeviceInput]: unknown;
  };
  if (!isChannel(channel) || endpoint === undefined || endpoint === null) return undefined;
  const read: Mutable<DeviceInput> = { channel, endpoint };
  if (environment !== undefined) {
    if (environment !== 'production' && environment !== 'sandbox') return undefined;
    read.environment = environment;
  }
  if (enabled !== undefined) {
    if (typeof enabled !== 'boolean') return undefined;
    read.enabled = enabled;
  }
  if (disabledReason !== undefined) {
    if (typeof disabledReason !== 'string' || !disabledReasonPattern.test(disabledReason))
      return undefined;
    read.disabledReason = disabledReason;
  }
  return read;
}

function isPlainId(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  return value.length > 0 && value.length <= limits.externalUserIdCharsMax && isOneLine(value);
}

const channels: ReadonlySet<unknown> = new Set(channelIds);

function isChannel(value: unknown): value is ChannelId {
  return channels.has(value);
}

function isChannelList(value: unknown): value is readonly ChannelId[] {
  if (!Array.isArray(value) || value.length === 0) return false;
  return value.length <= channelIds.length && value.every(isChannel);
}
