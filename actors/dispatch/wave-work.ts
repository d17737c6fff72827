// One wave as a dispatcher works it off: each row's record is read, its message rendered and made an attempt when its turn
// comes, and what came of them is gathered column by column. What a reader would get wrong: a row that cannot be rendered is
// an outcome too, so every row that was granted is reported once.

import type { Millis } from '../../engine/base/brand.ts';
import { formatId } from '../../engine/base/id.ts';
import { DamagedRecord } from '../../storage/codec.ts';
import {
  type DeviceRow,
  type SubscriberRow,
  subscribers,
} from '../../storage/tables/subscriber.ts';
import type { Attempt, Outcome } from '../channels/adapter.ts';
import { contentFor } from '../content/content-for.ts';
import { deviceIdBytes, writeDeviceId } from './device-ids.ts';
import type { DispatchWave, WaveReport } from './protocol.ts';

const outcomesMax = 255;

/** A row's attempt, or what came of it without one. */
export type Prepared = { readonly attempt: Attempt } | { readonly outcome: Outcome };

interface Done {
  readonly row: number;
  readonly deviceId: string;
  /** `undefined`: handed back unsent. */
  readonly outcome: Outcome | undefined;
}

/** The signed address that unsubscribes an address from an app. */
export type UnsubscribeUrl = (app: number, address: string) => string;

export class WaveWork {
  readonly wave: DispatchWave;
  readonly grantedMs: Millis;
  readonly #unsubscribeUrl: UnsubscribeUrl;
  #next = 0;
  #done: Done[] = [];

  constructor(wave: DispatchWave, grantedMs: Millis, unsubscribeUrl: UnsubscribeUrl) {
    this.wave = wave;
    this.grantedMs = grantedMs;
    this.#unsubscribeUrl = unsubscribeUrl;
  }

  /** Whether a row has not been taken yet. */
  get isOpen(): boolean {
    return this.#next < this.wave.people.length;
  }

  get hasDone(): boolean {
    return this.#done.length > 0;
  }

  /** The next row. */
  take(): number {
    return this.#next++;
  }

  prepare(row: number, nowMs: Millis): Prepared {
    const { wave } = this;
    const person = personOf(wave, row);
    if (person instanceof DamagedRecord)
      return { outcome: { outcome: 'permanent', reason: 'internal', detail: 'unreadable record' } };
    const device = deviceOf(wave, person);
    if (device === undefined) return { outcome: { outcome: 'permanent', reason: 'no_device' } };
    const message = wave.contents[wave.variants?.[row] ?? 0];
    if (message === undefined)
      return {
        outcome: { outcome: 'permanent', reason: 'invalid_content', detail: 'its message is gone' },
      };
    const app = { name: wave.appName, timezone: wave.timezone };
    const rendered = contentFor(message, person, app, wave.channel, nowMs);
    if ('fault' in rendered) {
      const { message: detail } = rendered.fault;
      return { outcome: { outcome: 'permanent', reason: 'invalid_content', detail } };
    }
    return { attempt: this.#attemptOf(row, device, rendered.content) };
  }

  /** A row's outcome; `undefined` where it goes back unsent. */
  finish(row: number, deviceId: string, outcome: Outcome | undefined): void {
    this.#done.push({ row, deviceId, outcome });
  }

  /** Everything that has not been taken goes back. */
  handBack(): number {
    const from = this.#next;
    this.#next = this.wave.people.length;
    for (let row = from; row < this.#next; row++) this.finish(row, '', undefined);
    return this.#next - from;
  }

  /** What came of rows since the last report. Different outcomes are told apart by all but the provider's name for each. */
  report(): WaveReport {
    const done = this.#done;
    const { wave } = this;
    const some =
      done.length > outcomesMax && countKinds(done) > outcomesMax
        ? done.splice(0, outcomesMax)
        : done.splice(0);
    some.sort((one, other) => one.row - other.row);
    const outcomes: (Outcome | null)[] = [];
    const codeOf = new Map<string, number>();
    const people = new Uint32Array(some.length);
    const codes = new Uint8Array(some.length);
    const devices = new Uint8Array(some.length * deviceIdBytes);
    const providerIds: string[] = [];
    let hasProviderId = false;
    some.forEach(({ row, deviceId, outcome }, i) => {
      people[i] = wave.people[row] as number;
      writeDeviceId(deviceId, devices, i * deviceIdBytes);
      const { providerMessageId, ...kind } = outcome ?? {};
      providerIds.push(providerMessageId ?? '');
      if (providerMessageId !== undefined) hasProviderId = true;
      const name = keyOf(outcome);
      let code = codeOf.get(name);
      if (code === undefined) {
        code = outcomes.push(outcome === undefined ? null : (kind as Outcome)) - 1;
        codeOf.set(name, code);
      }
      codes[i] = code;
    });
    return {
      kind: 'dispatch.wave_report',
      by: -1,
      channel: wave.channel,
      wave: wave.wave,
      people,
      outcomes,
      codes,
      devices,
      ...(hasProviderId ? { providerIds } : {}),
    };
  }

  #attemptOf(row: number, device: DeviceRow, content: Attempt['content']): Attempt {
    const { wave } = this;
    const { endpoint, environment } = device;
    const isMail = wave.channel === 'email' && typeof endpoint === 'string';
    return {
      sendId: formatId('ntf', { ...wave.sendParts, low32: wave.people[row] as number }),
      deviceId: device.id,
      appId: wave.appId,
      appName: wave.appName,
      channel: wave.channel,
      lane: 'bulk',
      attempt: 1,
      endpoint,
      registeredMs: device.createdMs,
      ...(environment === undefined ? {} : { environment }),
      content,
      acceptedMs: wave.acceptedMs,
      ...(isMail
        ? { email: { ...wave.email, unsubscribeUrl: this.#unsubscribeUrl(wave.app, endpoint) } }
        : {}),
    };
  }
}

const noKey = new Uint8Array(0);

function personOf(wave: DispatchWave, row: number): SubscriberRow | DamagedRecord {
  const from = row === 0 ? 0 : (wave.ends[row - 1] as number);
  try {
    return subscribers.decode(wave.records.subarray(from, wave.ends[row]), noKey);
  } catch (error) {
    if (error instanceof DamagedRecord) return error;
    throw error;
  }
}

function deviceOf({ channel }: DispatchWave, { devices }: SubscriberRow): DeviceRow | undefined {
  return devices.find((device) => device.enabled && device.channel === channel);
}

function keyOf(outcome: Outcome | undefined): string {
  if (outcome === undefined) return '';
  if (outcome.outcome === 'accepted') return 'accepted';
  return `${outcome.outcome}|${outcome.reason}|${outcome.detail ?? ''}|${outcome.retryAfterMs ?? ''}`;
}

function countKinds(done: readonly Done[]): number {
  return new Set(done.map(({ outcome }) => keyOf(outcome))).size;
}
