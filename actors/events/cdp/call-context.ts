// What a call says of its person beside tags: addresses among the traits, and in the context the
// push token of the app, the time zone and the language. Source: Segment's specification of
// `context`, which RudderStack shares.

import type { ContactTrait } from '../../../storage/tables/subscriber.ts';
import { canonicalLanguage } from '../../channels/words/language-tag.ts';
import { isObject } from '../../is-object.ts';
import { type JsonObject, ownMember } from '../ingest/slow-path.ts';
import type { Contact, PushToken } from './protocol.ts';

const contactTraits = ['email', 'phone'] as const satisfies readonly ContactTrait[];

/** As given. An empty text is no address, like `null`. Libraries also send numbers. */
export function contactOf(traits: JsonObject): Contact | undefined {
  const contact: { [Trait in ContactTrait]?: unknown } = {};
  for (const trait of contactTraits) {
    if (!Object.hasOwn(traits, trait)) continue;
    const value = traits[trait];
    if (value === undefined) continue;
    const isEmpty = value === null || (typeof value === 'string' && value.trim() === '');
    contact[trait] = isEmpty ? null : Number.isSafeInteger(value) ? String(value) : value;
  }
  return Object.keys(contact).length === 0 ? undefined : contact;
}

/** Apple's platforms, as the libraries name them in `context.device.type` or `context.os.name`. */
const apple =
  /^(?:apple|ios|ipados|iphone(?: ?os)?|ipad(?: ?os)?|tvos|watchos|visionos|mac ?os(?: ?x)?)$/i;

/** `undefined` without a token, and for what has no push here, such as browsers. */
export function pushTokenOf(call: JsonObject): PushToken | undefined {
  const device = memberObject(memberObject(call, 'context'), 'device');
  const token = ownMember(device, 'token');
  if (token === undefined || token === '') return undefined;
  const os = memberObject(memberObject(call, 'context'), 'os');
  for (const named of [ownMember(device, 'type'), ownMember(os, 'name')]) {
    if (typeof named !== 'string') continue;
    if (apple.test(named.trim())) return { platform: 'apple', token };
    if (/^android\b/i.test(named.trim())) return { platform: 'android', token };
  }
  return undefined;
}

/** A time zone, or an error sentence. */
export function timezoneOf(
  call: JsonObject,
  zoneNamed: (text: string) => string | undefined,
): {
  readonly timezone?: string;
  readonly problem?: string;
} {
  const zone = ownMember(memberObject(call, 'context'), 'timezone');
  if (zone === undefined || zone === '') return {};
  const timezone = typeof zone === 'string' ? zoneNamed(zone) : undefined;
  if (timezone !== undefined) return { timezone };
  const expected = 'expected an IANA time zone, such as Asia/Bangkok';
  return { problem: `context.timezone: ${expected}` };
}

/** A language, or an error sentence. */
export function localeOf(call: JsonObject): {
  readonly language?: string;
  readonly problem?: string;
} {
  const locale = ownMember(memberObject(call, 'context'), 'locale');
  if (locale === undefined || locale === '') return {};
  const isLocale =
    typeof locale === 'string' && locale.length <= 35 && canonicalLanguage(locale) !== undefined;
  if (isLocale) return { language: locale };
  return { problem: 'context.locale: expected a language, such as en or pt-BR' };
}

const nothing: JsonObject = {};

function memberObject(object: JsonObject, key: string): JsonObject {
  const value = ownMember(object, key);
  return isObject(value) ? value : nothing;
}
