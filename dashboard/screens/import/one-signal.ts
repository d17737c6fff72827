// OneSignal's CSV of subscriptions: a line is one address or token of a person. Says what a line
// is here: an opt-out, a row of the import, or both. As `engage import-onesignal` judges it. No DOM
// types here.

import { type ColumnFacts, noFacts, tagTypeOf } from '../../../files/column-facts.ts';
import { snake } from '../../../files/tag-name.ts';
import { cellValue, tagValue } from '../../../files/typed-value.ts';
import type { Operations } from '../../api/generated.ts';
import type { ImportRow } from './to-row.ts';

export type OptOutRow = Operations['importSuppressions']['body']['rows'][number];
type Tags = Record<string, string | number | boolean | readonly string[]>;

interface Judged {
  readonly optOut?: OptOutRow;
  readonly row: ImportRow;
  /** The device is not imported: its owner turned it off, or its service is not here. */
  readonly isDeviceLeft: boolean;
}

/** A line that is nobody. Whoever opted out in it did: the address may stand in another line. */
interface WrongLine {
  readonly problem: string;
  readonly optOut?: OptOutRow;
}

/** Columns that are read here, or mean nothing here; all others are tags. */
const own = new Set(
  [
    'id subscription_id identifier external_user_id external_id onesignal_id device_type',
    'notification_types unsubscribed_at invalid_identifier timezone_id language tags timezone ad_id',
    'badge_count device_model device_os game_version ip last_active location playtime rooted',
    'session_count web_auth web_p256',
  ].flatMap((names) => names.split(' ')),
);

const pushOf: Readonly<Record<string, 'apns' | 'fcm'>> = { '0': 'apns', '1': 'fcm' };

/** Why the file cannot be imported: it must say who opted out. */
export function oneSignalLack(header: readonly string[]): 'columns' | 'optOuts' | undefined {
  const names = new Set(header.map((name) => name.trim().toLowerCase()));
  if (!names.has('identifier') || !names.has('device_type')) return 'columns';
  return names.has('notification_types') || names.has('unsubscribed_at') ? undefined : 'optOuts';
}

export function judgeOneSignal(
  cells: readonly string[],
  header: readonly string[],
  facts: readonly ColumnFacts[],
): Judged | WrongLine {
  const names = header.map((name) => name.trim().toLowerCase());
  const text = (name: string) => cellValue(cells[names.indexOf(name)] ?? '');
  const address = text('identifier');
  const types = text('notification_types');
  const isInvalid = /^(t|true|1)$/i.test(text('invalid_identifier'));
  const hasLeft = Number(types || 1) < 1 || text('unsubscribed_at') !== '';
  const found = deviceOf(text('device_type'), address, isInvalid, hasLeft);
  if ('problem' in found) return found;
  const { device, optOut } = found;
  const wrong = (problem: string): WrongLine => ({ problem, ...(optOut && { optOut }) });
  if (!/^(-?\d+)?$/.test(types))
    return wrong(`notification_types: expected a number, not “${types}”`);
  const ids = [
    ...[text('external_user_id'), text('external_id')],
    ...['onesignal_id', 'subscription_id', 'id'].map(
      (name) => text(name) && `onesignal:${text(name)}`,
    ),
    // A token names a device, not a person.
    device?.channel === 'email' ? address.toLowerCase() : device?.channel === 'sms' ? address : '',
  ];
  const externalUserId = ids.find((id) => id !== '');
  if (externalUserId === undefined) return wrong('external_user_id: is missing');
  const tags = tagsOf(cells, names, header, facts);
  if ('problem' in tags) return wrong(tags.problem);
  const timezone = text('timezone_id');
  const language = text('language');
  const all = { ...tags.tags, ...(language !== '' && { language }) };
  return {
    ...(optOut && { optOut }),
    row: {
      externalUserId,
      ...(Object.keys(all).length > 0 && { tags: all }),
      ...(isZone(timezone) && { timezone }),
      ...(device && { devices: [device] }),
    },
    isDeviceLeft: device === undefined,
  };
}

type Device = NonNullable<ImportRow['devices']>[number];

function deviceOf(
  type: string,
  address: string,
  isInvalid: boolean,
  hasLeft: boolean,
): { readonly device?: Device; readonly optOut?: OptOutRow } | { readonly problem: string } {
  if (type === '11' || type === '14') {
    if (address === '') return {};
    const channel = type === '11' ? 'email' : 'sms';
    // A number without its country may be anyone's, and so may its opt-out.
    if (channel === 'sms' && !address.startsWith('+'))
      return { problem: `identifier: expected a number with its country, not “${address}”` };
    const reason = isInvalid ? 'the address was marked invalid' : 'unsubscribed';
    const scope = isInvalid ? {} : { scope: 'marketing' as const };
    return {
      device: { channel, endpoint: address },
      ...((isInvalid || hasLeft) && {
        optOut: { channel, address, ...scope, reason: `${reason} (OneSignal)` },
      }),
    };
  }
  if (!/^\d+$/.test(type)) return { problem: `device_type: expected a number, not “${type}”` };
  const channel = pushOf[type];
  const isOff = channel === undefined || isInvalid || hasLeft || address === '';
  return isOff ? {} : { device: { channel, endpoint: address } };
}

function tagsOf(
  cells: readonly string[],
  names: readonly string[],
  header: readonly string[],
  facts: readonly ColumnFacts[],
): { readonly tags: Tags } | { readonly problem: string } {
  const tags: Tags = {};
  for (const [column, name] of names.entries()) {
    const cell = cellValue(cells[column] ?? '');
    if (cell === '' || (own.has(name) && name !== 'tags')) continue;
    if (name === 'tags') {
      const object = objectOf(cell);
      if (object === undefined) return { problem: 'tags: expected a JSON object' };
      for (const [key, value] of Object.entries(object)) {
        const tag = jsonTag(value);
        if (tag !== undefined && key !== '') tags[key.normalize('NFC')] = tag;
      }
    } else {
      const fact = facts[column] ?? noFacts;
      tags[snake(header[column] ?? name)] = tagValue(cell, tagTypeOf(fact), fact.splitAt) ?? cell;
    }
  }
  return { tags };
}

function objectOf(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `undefined` for nothing, and for what no tag can hold. */
function jsonTag(value: unknown): Tags[string] | undefined {
  if (value === '') return undefined;
  if (['string', 'number', 'boolean'].includes(typeof value)) return value as Tags[string];
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const isFlat = value.every((one) => ['string', 'number', 'boolean'].includes(typeof one));
  return isFlat ? value.map(String) : undefined;
}

function isZone(text: string): boolean {
  try {
    return text !== '' && new Intl.DateTimeFormat('en', { timeZone: text }) !== undefined;
  } catch {
    return false;
  }
}
