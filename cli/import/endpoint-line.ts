// Reads one line of a legacy export: an endpoint, or why it is skipped. A line with an opt-out or
// with a bad address still imports its person, without the device. person.ts and address-winners.ts
// combine lines.

import { canonicalLanguage } from '../../actors/channels/words/language-tag.ts';
import { limits } from '../../actors/limits.ts';
import { normalizeEndpoint } from '../../actors/people/audience/identity.ts';
import { checkTags } from '../../actors/people/audience/tags.ts';
import { isOneLine, isTimeZone } from '../../http/call/schemas/schemas.ts';
import { exportedPhoneNumber } from './phone-number.ts';

const addressLacks = ['address_missing', 'address_invalid'] as const;
export type AddressLack = (typeof addressLacks)[number];

/** In the order of the checks. */
const skipReasons = [
  'line_too_long',
  'not_utf8',
  'torn_last_line',
  'malformed_json',
  'not_an_object',
  'channel_missing',
  'channel_adm',
  'channel_baidu',
  'channel_custom',
  'channel_in_app',
  'channel_push',
  'channel_other',
  'user_id_invalid',
  ...addressLacks,
] as const;
export type SkipReason = (typeof skipReasons)[number];

/** Omitted values; the rest of the line is imported. */
const omissions = ['tag_invalid', 'tag_twice', 'timezone_invalid', 'locale_invalid'] as const;
export type Omission = (typeof omissions)[number];

export type ImportedTags = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface Endpoint {
  /** `User.UserId`; an endpoint without a user becomes its own person. */
  readonly user?: string;
  readonly channel: 'fcm' | 'apns' | 'email' | 'sms';
  /** Absent if the line has none to send to: its person is imported without the device. */
  readonly address?: string;
  /** Why there is no address. */
  readonly lacks?: AddressLack;
  readonly environment?: 'production' | 'sandbox';
  /** Whether the exporting service still sent to it. */
  readonly isActive: boolean;
  readonly isOptedOut: boolean;
  /** A VoIP token cannot show a message. */
  readonly isVoip: boolean;
  /** An SMS endpoint of the same number wins over it. */
  readonly wasVoice: boolean;
  /** `EffectiveDate`, else `CreationDate`, in ms; 0 if neither is a date. */
  readonly atMs: number;
  readonly timezone?: string;
  readonly language?: string;
  readonly attributes: ImportedTags;
  readonly userAttributes: ImportedTags;
}

export type EndpointLine =
  | { readonly endpoint: Endpoint; readonly left: readonly Omission[] }
  | { readonly skipped: SkipReason };

type Json = { readonly [name: string]: unknown };

const phones = { channel: 'sms' } as const;
const production = { channel: 'apns', environment: 'production' } as const;
const sandbox = { channel: 'apns', environment: 'sandbox' } as const;
const channels: Readonly<Record<string, Pick<Endpoint, 'channel' | 'environment'>>> = {
  GCM: { channel: 'fcm' },
  APNS: production,
  APNS_SANDBOX: sandbox,
  APNS_VOIP: production,
  APNS_VOIP_SANDBOX: sandbox,
  EMAIL: { channel: 'email' },
  SMS: phones,
  VOICE: phones,
};
const otherChannels: Readonly<Record<string, SkipReason>> = {
  ADM: 'channel_adm',
  BAIDU: 'channel_baidu',
  CUSTOM: 'channel_custom',
  IN_APP: 'channel_in_app',
  PUSH: 'channel_push',
};
const noTags: ImportedTags = Object.freeze({});

/** `isTorn`: a last line without an end, perhaps cut by a broken transfer. */
export function readEndpoint(text: string, isTorn = false): EndpointLine {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return { skipped: isTorn ? 'torn_last_line' : 'malformed_json' };
  }
  return isObject(line) ? mapEndpoint(line) : { skipped: 'not_an_object' };
}

function mapEndpoint(line: Json): EndpointLine {
  const type = textOf(line['ChannelType'])?.trim().toUpperCase();
  if (type === undefined || type === '') return { skipped: 'channel_missing' };
  const target = Object.hasOwn(channels, type) ? channels[type] : undefined;
  if (target === undefined)
    return {
      skipped: (Object.hasOwn(otherChannels, type) && otherChannels[type]) || 'channel_other',
    };
  const person = objectOf(line['User']);
  const user = userOf(person['UserId']);
  if (user === null) return { skipped: 'user_id_invalid' };
  const reached = addressOf(target.channel, line);
  // Without a user id nobody could tell who this is, and each import would create another person.
  if (reached.lacks !== undefined && user === undefined) return { skipped: reached.lacks };

  const left: Omission[] = [];
  const demographic = objectOf(line['Demographic']);
  const timezone = given(demographic['Timezone'], zoneOf, 'timezone_invalid', left);
  const language = given(demographic['Locale'], canonicalLanguage, 'locale_invalid', left);
  return {
    left,
    endpoint: {
      ...target,
      ...(user === undefined ? {} : { user }),
      ...reached,
      isActive: line['EndpointStatus'] !== 'INACTIVE',
      isOptedOut: isOptOut(line['OptOut']),
      isVoip: type.startsWith('APNS_VOIP'),
      wasVoice: type === 'VOICE',
      atMs: dateOf(line['EffectiveDate']) ?? dateOf(line['CreationDate']) ?? 0,
      ...(timezone === undefined ? {} : { timezone }),
      ...(language === undefined ? {} : { language }),
      attributes: tagsOf(line['Attributes'], left),
      userAttributes: tagsOf(person['UserAttributes'], left),
    },
  };
}

function addressOf(
  channel: Endpoint['channel'],
  line: Json,
): Pick<Endpoint, 'address'> & { readonly lacks?: AddressLack } {
  const raw = textOf(line['Address'])?.trim();
  if (raw === undefined || raw === '') return { lacks: 'address_missing' };
  const address =
    channel === 'sms'
      ? exportedPhoneNumber(raw, textOf(objectOf(line['Location'])['Country']))
      : normalAddress(channel, raw);
  return address === undefined ? { lacks: 'address_invalid' } : { address };
}

/** `undefined` without a user id, `null` if no subscriber could have it. */
function userOf(value: unknown): string | undefined | null {
  // A larger number was rounded while it was read: two people would have one id.
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) return null;
  const user = typeof value === 'number' ? String(value) : value;
  if (user === undefined || user === null || user === '') return undefined;
  if (typeof user !== 'string' || user.length > limits.externalUserIdCharsMax) return null;
  return isOneLine(user) && !/\p{Surrogate}/u.test(user) ? user : null;
}

function normalAddress(channel: 'fcm' | 'apns' | 'email', raw: string): string | undefined {
  const normal = normalizeEndpoint(channel, raw);
  return 'endpoint' in normal && typeof normal.endpoint === 'string' ? normal.endpoint : undefined;
}

/** All but a clear no is an opt-out: an unwanted message is the worse mistake. */
function isOptOut(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  return typeof value !== 'string' || value.trim().toUpperCase() !== 'NONE';
}

function dateOf(value: unknown): number | undefined {
  const atMs = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs);
}

/**
 * Attributes as tags: a one-item list is its item; empty lists and invalid values are omitted. Of
 * names that differ only in how their letters are composed, the first counts.
 */
function tagsOf(value: unknown, left: Omission[]): ImportedTags {
  if (!isObject(value)) return noTags;
  const tags: Record<string, ImportedTags[string]> = {};
  for (const key in value) {
    const tag = tagOf(value[key]);
    if (tag === null) continue;
    const name = key.normalize('NFC');
    if (tag === undefined || key === '__proto__') left.push('tag_invalid');
    else if (Object.hasOwn(tags, name)) left.push('tag_twice');
    else tags[name] = tag;
  }
  if (checkTags(tags) === undefined) return tags;
  for (const [key, tag] of Object.entries(tags)) {
    if (checkTags({ [key]: tag }) === undefined) continue;
    left.push('tag_invalid');
    delete tags[key];
  }
  return tags;
}

/** `null` for nothing to keep, `undefined` for an invalid tag. */
function tagOf(value: unknown): ImportedTags[string] | undefined | null {
  if (value === null) return null;
  if (!Array.isArray(value)) return scalarOf(value);
  if (value.length === 1) return scalarOf(value[0]);
  if (value.length === 0) return null;
  const texts: string[] = [];
  for (const item of value) {
    const scalar = scalarOf(item);
    if (scalar === undefined) return undefined;
    texts.push(String(scalar));
  }
  return texts;
}

function scalarOf(value: unknown): string | number | boolean | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function given(
  value: unknown,
  read: (text: string) => string | undefined,
  omission: Omission,
  left: Omission[],
): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const text = typeof value === 'string' ? read(value) : undefined;
  if (text === undefined) left.push(omission);
  return text;
}

function zoneOf(text: string): string | undefined {
  return isTimeZone(text) ? text : undefined;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
