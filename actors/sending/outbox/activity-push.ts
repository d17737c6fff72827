// Sends to Live Activities: `deviceId` is the activity's id, and an attempt reads the token when it
// starts, so a rotation takes effect at once. An outcome closes the activity, never a device, and
// only if the token it tried is still current.

import type { DocumentReader, DocumentWrite, KeyPart } from '../../../engine/actor/message.ts';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import { formatId } from '../../../engine/base/id.ts';
import type { DamagedRecord } from '../../../storage/codec.ts';
import {
  type LiveActivityRow,
  liveActivities,
  liveActivitiesOfPeople,
} from '../../../storage/tables/live-activity.ts';
import type { DeviceRow, SubscriberRow } from '../../../storage/tables/subscriber.ts';
import type { LiveActivityContent } from '../../channels/port/live-activity.ts';
import type { Outcome } from '../../channels/port/outcome.ts';
import { readableRow, readRow } from '../../readable-row.ts';
import type { Target } from './job.ts';

export function isActivity({ deviceId }: Pick<Target, 'deviceId'>): boolean {
  return deviceId.startsWith('la_');
}

/** The activity of a target as it is now. */
export function activityOf(
  reader: DocumentReader,
  { deviceId }: Pick<Target, 'deviceId'>,
): LiveActivityRow | DamagedRecord | undefined {
  return readRow(reader, liveActivities, [deviceId]);
}

/** Devices drop updates older than the newest; an alert is tried once, because it rings. */
export function whyNotPushed(
  row: LiveActivityRow | undefined,
  { timestamp, alert }: LiveActivityContent,
  { attempts, deadLetter }: Target,
): 'activity_closed' | 'superseded' | undefined {
  if (row === undefined || row.state === 'closed') return 'activity_closed';
  if (timestamp >= row.timestamp) return undefined;
  const isFirst = attempts === 0 && deadLetter === undefined;
  return isFirst && alert !== undefined ? undefined : 'superseded';
}

/** FCM also needs the phone: the one the app named, else the newest; else `undefined`. */
export function deviceOfActivity(
  row: LiveActivityRow,
  { channel }: Target,
  person: SubscriberRow | undefined,
): DeviceRow | undefined {
  const { id, pushToken, tokenMs, updatedMs } = row;
  const device: DeviceRow = {
    id,
    channel,
    endpoint: pushToken,
    enabled: true,
    createdMs: tokenMs,
    updatedMs,
  };
  if (channel !== 'fcm') return device;
  const phones = (person?.devices ?? []).filter((one) => one.channel === 'fcm' && one.enabled);
  const phone =
    phones.find((one) => one.id === row.deviceId) ??
    phones.toSorted((one, other) => other.updatedMs - one.updatedMs)[0];
  return phone && { ...device, endpoint: phone.endpoint };
}

/** A `dead` token that was rotated since is a retry with the new one. */
export function outcomeForActivity(
  reader: DocumentReader,
  target: Pick<Target, 'deviceId'>,
  outcome: Outcome | undefined,
  rotations: number | undefined,
): Outcome | undefined {
  if (outcome?.outcome !== 'dead') return outcome;
  const row = readableRow(reader, liveActivities, [target.deviceId]);
  if (row === undefined || row.rotations === rotations) return outcome;
  return { outcome: 'retry', reason: 'token_rotated' };
}

/** Closes an active activity. */
export function closedActivity(
  reader: DocumentReader,
  id: string,
  nowMs: Millis,
): DocumentWrite | undefined {
  const row = readableRow(reader, liveActivities, [id]);
  if (row === undefined || row.state !== 'active') return undefined;
  const value: LiveActivityRow = { ...row, state: 'closed', updatedMs: nowMs };
  return { table: liveActivities, key: [id], value };
}

/** Removes at most `limit` registered before `cutMs`: phones show one for less than a day. */
export function sweptActivities(
  reader: DocumentReader,
  owner: Ordinal,
  cutMs: Millis,
  limit: number,
): { readonly count: number; readonly documents: readonly DocumentWrite[] } {
  const end = formatId('la', { ordinal: owner, atMs: Math.max(0, cutMs), high16: 0, low32: 0 });
  const lost: DocumentWrite[] = [];
  const damaged = (key: readonly KeyPart[]) =>
    lost.push({ table: liveActivities, key, value: undefined });
  const old = reader.range(liveActivities, { from: [''], to: [end], limit, damaged });
  const documents = old.flatMap(({ key, value: { person, id } }): DocumentWrite[] => [
    { table: liveActivities, key, value: undefined },
    { table: liveActivitiesOfPeople, key: [person, id], value: undefined },
  ]);
  return { count: old.length + lost.length, documents: [...documents, ...lost] };
}
