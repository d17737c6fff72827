// One person: all lines with one user id, as one row. Lines are not in date order, so each value
// keeps its date. A person's values win over an endpoint's, whatever the dates.

import { limits } from '../../actors/limits.ts';
import type { AddressLack, ImportedTags } from './endpoint-line.ts';
import type { SpooledEndpoint } from './spooled-endpoint.ts';

/** Why a device is omitted although its person is imported. */
const deviceOmissions = ['opted_out', 'address_superseded', 'too_many_devices'] as const;
export type DeviceOmission = (typeof deviceOmissions)[number] | AddressLack;

/** As in `POST …/subscribers` and import rows. */
export interface RowDevice {
  readonly channel: string;
  readonly endpoint: string;
  readonly environment?: 'production' | 'sandbox';
  readonly enabled?: false;
  /** Why it is disabled, for a server that stores it. */
  readonly disabledReason?: 'voip_token' | 'inactive' | 'unconfirmed';
}

export interface PersonRow {
  readonly externalUserId?: string;
  readonly tags?: ImportedTags;
  readonly timezone?: string;
  readonly devices?: readonly RowDevice[];
  /** Choices by the key of a topic. */
  readonly topics?: Readonly<Record<string, 'in' | 'out'>>;
}

interface Dated<Value> {
  readonly value: Value;
  readonly atMs: number;
}

interface DatedDevice {
  readonly device: RowDevice;
  readonly isActive: boolean;
  readonly atMs: number;
}

/** Collects a person's lines in file order. */
export class Person {
  /** The first of its lines, and their number. */
  readonly line: number;
  lines = 0;
  readonly #user: string | undefined;
  readonly #attributes = new Map<string, Dated<ImportedTags[string]>>();
  readonly #userAttributes = new Map<string, Dated<ImportedTags[string]>>();
  readonly #devices: DatedDevice[] = [];
  #timezone: Dated<string> | undefined;
  #language: Dated<string> | undefined;

  constructor(line: number, user: string | undefined) {
    this.line = line;
    this.#user = user;
  }

  /** Adds a line; `isWinner`: it wins its address. Returns why a device is omitted, if one is. */
  enter(
    endpoint: SpooledEndpoint,
    isWinner: boolean,
    includeOptOut: boolean,
  ): DeviceOmission | undefined {
    this.lines++;
    const { atMs, timezone, language } = endpoint;
    keepNewest(this.#attributes, endpoint.attributes, atMs);
    keepNewest(this.#userAttributes, endpoint.userAttributes, atMs);
    if (timezone !== undefined) this.#timezone = newest(this.#timezone, timezone, atMs);
    if (language !== undefined) this.#language = newest(this.#language, language, atMs);
    const { address } = endpoint;
    if (address === undefined) return endpoint.lacks ?? 'address_missing';
    if (!isWinner) return 'address_superseded';
    if (endpoint.isOptedOut && !includeOptOut) return 'opted_out';
    this.#devices.push({ device: deviceOf(endpoint, address), isActive: endpoint.isActive, atMs });
    if (this.#devices.length <= limits.devicesMax) return undefined;
    this.#devices.splice(this.#leastOf(), 1);
    return 'too_many_devices';
  }

  /** Devices, and disabled ones by reason. */
  deviceCounts(): { readonly devices: number; readonly inactive: number; readonly voip: number } {
    let inactive = 0;
    let voip = 0;
    for (const { device, isActive } of this.#devices) {
      if (device.disabledReason === 'voip_token') voip++;
      else if (!isActive) inactive++;
    }
    return { devices: this.#devices.length, inactive, voip };
  }

  /** As one row, without empty fields. */
  row(): PersonRow {
    const tags: Record<string, ImportedTags[string]> = {};
    for (const [key, { value }] of this.#attributes) tags[key] = value;
    for (const [key, { value }] of this.#userAttributes) tags[key] = value;
    const language = this.#language?.value;
    if (language !== undefined && !('language' in tags) && !('locale' in tags))
      tags['language'] = language;
    return {
      ...(this.#user === undefined ? {} : { externalUserId: this.#user }),
      ...(Object.keys(tags).length === 0 ? {} : { tags }),
      ...(this.#timezone === undefined ? {} : { timezone: this.#timezone.value }),
      ...(this.#devices.length === 0 ? {} : { devices: this.#devices.map(({ device }) => device) }),
    };
  }

  /** The device to drop: inactive first, then the oldest. */
  #leastOf(): number {
    let least = 0;
    for (let i = 1; i < this.#devices.length; i++) {
      const [a, b] = [this.#devices[i] as DatedDevice, this.#devices[least] as DatedDevice];
      if (a.isActive === b.isActive ? a.atMs < b.atMs : !a.isActive) least = i;
    }
    return least;
  }
}

function deviceOf(
  { channel, environment, isActive, isVoip }: SpooledEndpoint,
  address: string,
): RowDevice {
  return {
    channel,
    endpoint: address,
    ...(environment === undefined ? {} : { environment }),
    ...(isActive && !isVoip
      ? {}
      : { enabled: false, disabledReason: isVoip ? 'voip_token' : 'inactive' }),
  };
}

function keepNewest<Value>(
  kept: Map<string, Dated<Value>>,
  values: Readonly<Record<string, Value>>,
  atMs: number,
): void {
  for (const key of Object.keys(values))
    kept.set(key, newest(kept.get(key), values[key] as Value, atMs));
}

/** On equal dates the later line wins. */
function newest<Value>(kept: Dated<Value> | undefined, value: Value, atMs: number): Dated<Value> {
  return kept !== undefined && kept.atMs > atMs ? kept : { value, atMs };
}
