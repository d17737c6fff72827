// Endpoint forms that channels share: text, and phone numbers. Two devices are the same if their
// `key` is equal, not their `endpoint`.

import { z } from 'zod';
import { type Checked, hasControlCharacter } from './address.ts';
import { phoneNumber } from './phone-number.ts';

/** A browser's subscription object; other fields are dropped. */
export interface WebPushSubscription {
  readonly endpoint: string;
  readonly expirationTime?: number | null | undefined;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

export interface NormalForm {
  /** As stored and given to the adapter: text, or a subscription object for `webpush`. */
  readonly endpoint: string | WebPushSubscription;
  /** Equal for two registrations of one device; at most 4,096 characters. */
  readonly key: string;
}

export interface EndpointPolicy {
  /**
   * Accept any web push address, including `http` and private ones: sandbox mode, or private
   * networks allowed. Otherwise only what the adapter will call: https at a known push service.
   */
  readonly allowHttp?: boolean;
  /** The app's `defaultCountry`: phone numbers without a country code are of it. */
  readonly country?: string;
  /** New devices with a disposable email address are refused. */
  readonly refusesDisposable?: boolean;
  /** Of these, none is disposable. */
  readonly ownDomains?: OwnDomains;
}

/** The longest stored push token or subscription address, in bytes. */
export const tokenBytesMax = 4096;

/** The catalog fields of a text endpoint. `is` is a phrase for documents. */
export function textEndpoint(
  is: string,
  check: (raw: string, country?: string) => Checked,
  lengthMax: number,
  example?: string,
) {
  const schema = checkedText(check, lengthMax);
  return {
    endpointIs: is,
    endpoint: example === undefined ? schema : schema.meta({ example }),
    normalize(
      raw: unknown,
      { country }: EndpointPolicy = {},
    ): NormalForm | { readonly problem: string } {
      if (typeof raw !== 'string') return { problem: `must be a string: the ${is}` };
      if (hasControlCharacter(raw)) return { problem: 'must not contain control characters' };
      const checked = check(raw.trim(), country);
      return 'problem' in checked ? checked : { endpoint: checked.value, key: checked.value };
    },
  };
}

/** A schema from an address check. It keeps the text; the check's problem is the message. */
export function checkedText(check: (raw: string) => Checked, lengthMax: number) {
  return z
    .string()
    .max(lengthMax)
    .superRefine((raw, context) => {
      const result = check(raw.trim());
      if ('problem' in result) context.addIssue({ code: 'custom', message: result.problem });
    });
}

export const phoneEndpoint = {
  ...textEndpoint('phone number in E.164 form', phoneNumber, 64, '+14155550123'),
  identity: 'phone',
} as const;

/** Domains of an app by name, as `emailAddress` writes them. */
export type OwnDomains = ReadonlyMap<string, { readonly state: string }>;

/**
 * Whether an app has proved a domain, or one above it, to be its own: lists of the field err, and
 * whoever proved a domain knows better.
 */
export function isOwnDomain(own: OwnDomains, domain: string): boolean {
  if (own.size === 0) return false;
  for (let at = 0; at >= 0; at = domain.indexOf('.', at + 1))
    if (own.get(domain.slice(at === 0 ? 0 : at + 1))?.state === 'verified') return true;
  return false;
}
