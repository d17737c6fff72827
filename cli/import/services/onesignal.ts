// OneSignal: the CSV of subscriptions, one row for each address or token.
//
// Columns: documentation.onesignal.com/reference/csv-export ("Default fields", "Extra fields");
// device types there too. `notification_types` below 1, and `unsubscribed_at`, are people who opted
// out; `invalid_identifier` is `t` where the address or the token is dead.

import type { Service } from '../origin.ts';
import { WrongRecord } from '../wrong-record.ts';

/** By `device_type`. */
const pushOf: Readonly<Record<string, 'apns' | 'fcm'>> = { '0': 'apns', '1': 'fcm' };
const emailType = '11';
const smsType = '14';

export const oneSignal: Service = {
  id: 'onesignal',
  title: 'OneSignal',
  exports:
    'the CSV of Audience > Subscriptions, or of the API with extra_fields external_user_id, onesignal_id, notification_types, timezone_id and country',
  columns: {
    id: 'judged',
    subscription_id: 'judged',
    identifier: 'judged',
    external_user_id: 'judged',
    external_id: 'judged',
    onesignal_id: 'judged',
    device_type: 'judged',
    notification_types: 'judged',
    unsubscribed_at: 'judged',
    invalid_identifier: 'judged',
    country: { tag: 'country' },
    timezone_id: 'timezone',
    language: 'language',
    // Seconds from UTC, which name no time zone.
    timezone: 'leftOut',
    ad_id: 'leftOut',
    badge_count: 'leftOut',
    device_model: 'leftOut',
    device_os: 'leftOut',
    game_version: 'leftOut',
    ip: 'leftOut',
    last_active: 'leftOut',
    location: 'leftOut',
    playtime: 'leftOut',
    rooted: 'leftOut',
    session_count: 'leftOut',
    web_auth: 'leftOut',
    web_p256: 'leftOut',
  },
  tagObjects: ['tags'],
  refuses({ columns, isSuppressed, mayAssume }) {
    if (!columns.has('identifier') || !columns.has('device_type'))
      return 'it has no columns identifier and device_type, so it is not an export of subscriptions.';
    if (isSuppressed || mayAssume) return undefined;
    if (columns.has('notification_types') || columns.has('unsubscribed_at')) return undefined;
    return 'it has no column notification_types, so it does not say who opted out. Export it with extra_fields ["notification_types", "external_user_id"], or use --assume-subscribed.';
  },
  judge(record, draft) {
    const address = record.text('identifier');
    const type = record.text('device_type');
    draft.id(record.text('external_user_id'));
    draft.id(record.text('external_id'));
    for (const name of ['onesignal_id', 'subscription_id', 'id'])
      if (record.text(name) !== '') draft.id(`onesignal:${record.text(name)}`);
    const { isSuppressed } = record.file;
    const types = record.text('notification_types');
    const hasLeft =
      draft.attempt(() => isOptedOut(types)) === true || record.text('unsubscribed_at') !== '';
    const isInvalid = /^(t|true|1)$/i.test(record.text('invalid_identifier'));
    const isDead = isInvalid || isSuppressed;
    const why = isInvalid ? 'the address was marked invalid' : isSuppressed ? 'suppressed' : '';
    const standing = isDead ? 'refused' : hasLeft ? 'unsubscribed' : 'subscribed';
    const push = pushOf[type];
    if (type === emailType) draft.email(address, standing, why);
    else if (type === smsType) draft.phone(address, standing, why, record.text('country'));
    else if (push !== undefined) draft.push(push, isDead ? '' : address, hasLeft);
    // Web push belongs to the keys of OneSignal, and other devices to services that are not here.
    else if (/^\d+$/.test(type)) draft.left.push('push_other_platform');
    else throw new WrongRecord(`device_type: expected a number, not “${type}”`);
    if (isSuppressed) draft.isPerson = false;
  },
};

/** 1 and above are subscribed; 0, -2, -31 and other negative ones are not. */
function isOptedOut(types: string): boolean {
  if (types === '') return false;
  if (!/^-?\d+$/.test(types))
    throw new WrongRecord(`notification_types: expected a number, not “${types}”`);
  return Number(types) < 1;
}
