// Whether an upsert says what is stored already: the row of a file that is imported every night.
// True only if the whole upsert would change nothing but the instant of the change.

import type { DeviceRow, SubscriberRow, TagValue } from '../../../../storage/tables/subscriber.ts';
import type { EndpointPolicy } from '../../../channels/addresses/endpoint.ts';
import { normalizeEndpoint } from '../identity.ts';
import type { DeviceInput, SubscriberInput } from '../protocol.ts';
import { isUnconfirmed } from '../unconfirmed.ts';

/**
 * `unvouched`: names that only calls without an API key have used; a row vouches for its names.
 * `isAsked`: an email address waits for its confirmation where it is not confirmed yet.
 */
export function changesNothing(
  stored: SubscriberRow,
  input: SubscriberInput,
  policy: EndpointPolicy,
  unvouched: ReadonlySet<string>,
  isAsked = false,
): boolean {
  if (stored.unclaimed === true) return false;
  const { tags, timezone, preferredChannels, devices } = input;
  if (timezone !== undefined && (timezone ?? undefined) !== stored.timezone) return false;
  if (preferredChannels !== undefined) {
    const now = stored.preferredChannels;
    if (preferredChannels === null ? now !== undefined : !areSame(preferredChannels, now))
      return false;
  }
  for (const key in tags) {
    const value = tags[key];
    if (unvouched.has(key)) return false;
    if (value === null ? Object.hasOwn(stored.tags, key) : !isSame(value, stored.tags, key))
      return false;
  }
  if (devices !== undefined)
    for (const device of devices)
      if (!isThere(device, stored.devices, policy, isAsked)) return false;
  return true;
}

function isSame(
  value: TagValue | undefined,
  tags: Readonly<Record<string, TagValue>>,
  key: string,
): boolean {
  if (!Object.hasOwn(tags, key)) return false;
  const now = tags[key];
  // `-0` is another value than 0, as the record keeps it.
  if (!Array.isArray(value)) return Object.is(value, now);
  return areSame(value, Array.isArray(now) ? now : undefined);
}

function areSame(one: readonly string[], other: readonly string[] | undefined): boolean {
  return other?.length === one.length && one.every((item, at) => item === other[at]);
}

/** A browser's subscription is an object, which is compared by the upsert itself. */
function isThere(
  input: DeviceInput,
  devices: readonly DeviceRow[],
  policy: EndpointPolicy,
  isAsked: boolean,
): boolean {
  if (typeof input.endpoint !== 'string') return false;
  const normal = normalizeEndpoint(input.channel, input.endpoint, policy);
  if ('problem' in normal) return false;
  const { channel, enabled, environment, registeredBy, fromTrait } = input;
  for (const device of devices) {
    if (device.channel !== channel || device.endpoint !== normal.endpoint) continue;
    const waits = isAsked && channel === 'email';
    const stays = device.enabled
      ? enabled !== false
      : enabled === undefined &&
        device.disabledReason !== undefined &&
        (waits || !isUnconfirmed(device));
    return (
      stays &&
      (environment === undefined || environment === device.environment) &&
      registeredBy === device.registeredBy &&
      fromTrait === device.fromTrait
    );
  }
  return false;
}
