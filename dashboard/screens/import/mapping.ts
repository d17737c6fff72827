// What a column of a file becomes, and the guess from its name and its first values.

import type { Channel } from '../../api/generated.ts';

export type TagType = 'string' | 'number' | 'boolean' | 'list';

export type Target =
  | { readonly kind: 'skip' }
  | { readonly kind: 'externalId' }
  | { readonly kind: 'timezone' }
  | { readonly kind: 'preferences' }
  | { readonly kind: 'device'; readonly channel: Channel }
  | { readonly kind: 'tag'; readonly key: string; readonly type: TagType }
  /** All tags, or all devices, as JSON: what an export has. */
  | { readonly kind: 'tagsJson' }
  | { readonly kind: 'devicesJson' };

export type Mapping = readonly Target[];

/** First match wins. */
const byName: readonly (readonly [RegExp, Target])[] = [
  [/^(external_?(user_?)?id|user_?id|customer_?id|client_?id|uid|id)$/, { kind: 'externalId' }],
  [/^(time_?zone|tz|iana_?zone)$/, { kind: 'timezone' }],
  [/^(preferred_?channels?|channel_?preference)$/, { kind: 'preferences' }],
  [/(^|_)e_?mail(_address)?$/, { kind: 'device', channel: 'email' }],
  [/(^|_)whats_?app(_number)?$/, { kind: 'device', channel: 'whatsapp' }],
  [/(^|_)(phone|mobile|cell|msisdn|sms|tel)(_?number)?$/, { kind: 'device', channel: 'sms' }],
  [/(^|_)(fcm|android)(_push)?(_token)?$/, { kind: 'device', channel: 'fcm' }],
  [/(^|_)(apns|ios)(_push)?(_token)?$/, { kind: 'device', channel: 'apns' }],
  [/(^|_)telegram(_chat)?(_id)?$/, { kind: 'device', channel: 'telegram' }],
  [/(^|_)viber(_id)?$/, { kind: 'device', channel: 'viber' }],
  [/(^|_)line(_user)?_id$/, { kind: 'device', channel: 'line' }],
  [/(^|_)zalo(_id)?$/, { kind: 'device', channel: 'zalo' }],
  [/(^|_)kakao(_number)?$/, { kind: 'device', channel: 'kakao' }],
];

/** Columns of an export that the server makes itself. */
const ofServer = ['created_at', 'updated_at', 'last_active_at'];

const email = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const phone = /^\p{Cf}*(\+|00)[\d ().\p{Pd}\p{Cf}]{7,20}$/u;
const zone = /^[A-Z][A-Za-z_]+\/[A-Z][A-Za-z_/+-]+$/;
const number = /^-?(0|[1-9]\d{0,14})(\.\d{1,10})?$/;
const yesNo = /^(true|false|yes|no)$/i;

/** One target a column; at most one is the external id. */
export function guessMapping(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): Mapping {
  const isExport = header.includes('externalUserId');
  let hasId = false;
  return header.map((name, column) => {
    const values = rows.map((row) => (row[column] ?? '').trim()).filter((one) => one !== '');
    const known = snake(name);
    if (isExport && (known === 'id' || ofServer.includes(known))) return { kind: 'skip' };
    const target = guessTarget(known, values);
    if (target.kind !== 'externalId') return target;
    if (hasId) return { kind: 'tag', key: known, type: typeOf(values) };
    hasId = true;
    return target;
  });
}

function guessTarget(name: string, values: readonly string[]): Target {
  if (values.length > 0 && values.every((one) => one.startsWith('{')) && name === 'tags')
    return { kind: 'tagsJson' };
  if (values.length > 0 && values.every((one) => one.startsWith('[')) && name === 'devices')
    return { kind: 'devicesJson' };
  const named = byName.find(([pattern]) => pattern.test(name));
  if (named !== undefined && !contradicts(named[1], values)) return named[1];
  if (mostly(values, email)) return { kind: 'device', channel: 'email' };
  if (mostly(values, phone)) return { kind: 'device', channel: 'sms' };
  if (mostly(values, zone)) return { kind: 'timezone' };
  return name === '' ? { kind: 'skip' } : { kind: 'tag', key: name, type: typeOf(values) };
}

/** A column "email" with yes and no is not an address. */
function contradicts(target: Target, values: readonly string[]): boolean {
  return target.kind === 'device' && values.length > 0 && values.every((one) => yesNo.test(one));
}

function mostly(values: readonly string[], pattern: RegExp): boolean {
  const fit = values.filter((one) => pattern.test(one)).length;
  return values.length > 0 && fit >= values.length * 0.8;
}

export function typeOf(values: readonly string[]): TagType {
  if (values.length === 0) return 'string';
  if (values.every((one) => number.test(one))) return 'number';
  if (values.every((one) => yesNo.test(one))) return 'boolean';
  const lists = values.filter((one) => one.includes('|') || one.includes(';')).length;
  return lists >= values.length * 0.5 ? 'list' : 'string';
}

/** A name as a tag's key: "First name" is `first_name`. */
export function snake(name: string): string {
  return name
    .trim()
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '');
}
