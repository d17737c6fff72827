// What is different about a send to a Live Activity: its target's `deviceId` is the activity's, and
// what reaches it is read from the registry when an attempt starts, so that a token which was
// rotated meanwhile is the one that is used. An outcome closes the activity and never a device;
// what a reader would get wrong: only if the token that was tried is still the activity's.

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
import type { LiveActivityContent } from '../../channels/live-activity.ts';
import type { Outcome } from '../../channels/outcome.ts';
import type { Target } from './job.ts';
import { readableRow, readRow } from './read-row.ts';

/** Whether a target is a Live Activity rather than a device. */
export function isActivity({ deviceId }: Pick<Target, 'deviceId'>): boolean {
  return deviceId.startsWith('la_');
}

/**
 * The activity of a target as it is now; `undefined` for one that is not in the registry any more.
 */
export function activityOf(
  reader: DocumentReader,
  { deviceId }: Pick<Target, 'deviceId'>,
): LiveActivityRow | DamagedRecord | undefined {
  return readRow(reader, liveActivities, [deviceId]);
}

/**
 * Why an update does not leave. One that a newer one waits behind, or has gone before, would be
 * dropped by the device; but the first try of an alert is made all the same, as it rings.
 */
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

/**
 * An activity as the device that an attempt is for. FCM wants to know the phone, too: the one that
 * the app has named, else the one that was registered last; without any there is nothing to call.
 */
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

/**
 * An outcome as it counts: one that condemns a token which was rotated since says nothing about the
 * new one.
 */
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

/** The row of an activity whose token is dead; one that has ended stays so. */
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

/**
 * Takes away activities that were registered before `cutMs`, at most `limit`: no phone shows one
 * for as long as a day.
 */
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
