// Delivery options come at top level, in `deliveryOptions`, in `payload`, and on the transactional
// lane in `data`, in this order of precedence. They never reach a device as custom data. A string
// with a template can only be checked once rendered, so all options are read twice.

import { z } from 'zod';
import { type Millis, secondMs } from '../../../engine/base/brand.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import type { DeliveryOptions } from '../../channels/port/attempt.ts';
import { integerRange } from '../../integer-range.ts';
import { contentLimits } from './content-limits.ts';
import { isTemplate } from './is-template.ts';

const { optionIntegerMax, optionTextMax, sourceMax } = contentLimits;
const integer = (meaning: string) => integerRange(0, optionIntegerMax).optional().describe(meaning);
const words = (meaning: string) => z.string().max(sourceMax).optional().describe(meaning);

/** The top-level members, for schemas of messages, templates and sends. */
export const deliveryOptionFields = {
  badgeCount: integer('Badge number on the app icon. 0 clears it.'),
  sound: words('Name of a sound file in the app, or "default".'),
  ttlSeconds: integer(
    'How long a provider may keep the message for an offline device, in seconds. 0: one try, now.',
  ),
  collapseKey: words('A newer message with the same key replaces an older one on the device.'),
  androidChannelId: words('Android notification channel id.'),
  priority: z.enum(['normal', 'high']).optional().describe('Delivery priority.'),
} as const;

const kinds = {
  badgeCount: 'integer',
  sound: 'text',
  ttlSeconds: 'integer',
  collapseKey: 'text',
  androidChannelId: 'text',
  priority: 'priority',
} as const satisfies Record<keyof DeliveryOptions, 'integer' | 'text' | 'priority'>;

export const deliveryOptionKeys = Object.keys(kinds) as readonly (keyof DeliveryOptions)[];

function isDeliveryOption(key: string): key is keyof DeliveryOptions {
  return Object.hasOwn(kinds, key);
}

/** Weakest first. `data` is given on the transactional lane only. */
export interface OptionSources {
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  readonly payload?: Readonly<Record<string, unknown>> | undefined;
  /** Of the member `deliveryOptions`, which only bodies have. */
  readonly inside?: Readonly<Partial<Record<keyof DeliveryOptions, unknown>>> | undefined;
  readonly top?: Readonly<Partial<Record<keyof DeliveryOptions, unknown>>> | undefined;
}

/** Weakest first, with the path of its members. */
const places = [
  ['data', 'data.'],
  ['payload', 'payload.'],
  ['inside', 'deliveryOptions.'],
  ['top', ''],
] as const;

/**
 * Reads and checks every place, also where a stronger one wins. The fault names the member
 * (`payload.ttlSeconds: expected an integer from 0`).
 *
 * `accept`: a string with a template passes under any option; a plain string under an integer
 * option is a fault. `rendered`: integers may be digits without a sign or leading zeros, because
 * templates make strings; an option that rendered to nothing is omitted.
 */
export function readDeliveryOptions(
  sources: OptionSources,
  when: 'accept' | 'rendered',
): { readonly options: DeliveryOptions } | { readonly fault: Fault } {
  const options: Partial<Record<keyof DeliveryOptions, unknown>> = {};
  for (const [place, path] of places) {
    const source = sources[place];
    if (source === undefined) continue;
    for (const key of deliveryOptionKeys) {
      const value = Object.hasOwn(source, key) ? source[key] : undefined;
      if (value === undefined || (when === 'rendered' && value === '')) continue;
      const read =
        when === 'accept' && typeof value === 'string' && isTemplate(value)
          ? { value }
          : readOption(key, value, when);
      if ('problem' in read) {
        return { fault: fieldFault(`${path}${key}`, read.problem) };
      }
      options[key] = read.value;
    }
  }
  return { options: options as DeliveryOptions };
}

/** Returns the same map if it has no delivery options. */
export function withoutDeliveryOptions<T>(
  map: Readonly<Record<string, T>>,
): Readonly<Record<string, T>> {
  let any = false;
  for (const key in map) any ||= isDeliveryOption(key);
  if (!any) return map;
  return Object.fromEntries(Object.entries(map).filter(([key]) => !isDeliveryOption(key)));
}

function readOption(
  key: keyof DeliveryOptions,
  value: unknown,
  when: 'accept' | 'rendered',
): { readonly value: unknown } | { readonly problem: string } {
  switch (kinds[key]) {
    case 'integer': {
      const digits =
        when === 'rendered' && typeof value === 'string' && /^(0|[1-9]\d{0,9})$/.test(value);
      const count = digits ? Number(value) : value;
      return Number.isInteger(count) && Number(count) >= 0 && Number(count) <= optionIntegerMax
        ? { value: count }
        : { problem: 'expected an integer from 0' };
    }
    case 'text':
      if (typeof value !== 'string') return { problem: 'expected a string' };
      return value.length <= optionTextMax
        ? { value }
        : { problem: `at most ${optionTextMax} characters` };
    case 'priority':
      return value === 'normal' || value === 'high'
        ? { value }
        : { problem: 'expected "normal" or "high"' };
  }
}

/** How long sends of this content live; `undefined` for no limit. */
export function ttlMsOf(
  content: NonNullable<OptionSources['top']> & Pick<OptionSources, 'payload'>,
): Millis | undefined {
  const read = readDeliveryOptions({ top: content, payload: content.payload }, 'rendered');
  const seconds = 'fault' in read ? undefined : read.options.ttlSeconds;
  return seconds === undefined ? undefined : seconds * secondMs;
}
