// Braze: the JSON of users, subscription groups, and lists of hard bounces and unsubscribes.
//
// Members: braze.com/docs/api/endpoints/export/user_data/post_users_identifier, post_users_segment
// (one user a line), subscription_groups/get_list_user_subscription_groups (`subscription_groups`
// with id, name, channel and status), email/get_query_hard_bounces and email/get_query_unsubscribes
// (`emails` with hard_bounced_at or unsubscribed_at), sms/get_query_invalid_numbers (`sms`).

import { isObject } from '../../../actors/is-object.ts';
import type { Draft, Standing } from '../draft.ts';
import type { Service, ServiceRecord } from '../origin.ts';
import { WrongRecord } from '../wrong-record.ts';

export const braze: Service = {
  id: 'braze',
  title: 'Braze',
  exports:
    'the JSON of /users/export/segment (unpacked), /subscription/user/status, /email/hard_bounces and /email/unsubscribes',
  columns: {
    external_id: 'judged',
    braze_id: 'judged',
    user_aliases: 'leftOut',
    email: 'judged',
    phone: 'judged',
    email_subscribe: 'judged',
    push_subscribe: 'judged',
    push_tokens: 'judged',
    subscription_groups: 'judged',
    email_hard_bounced_at: 'judged',
    hard_bounced_at: 'judged',
    email_marked_as_spam_at: 'judged',
    marked_as_spam_at: 'judged',
    email_unsubscribed_at: 'judged',
    unsubscribed_at: 'judged',
    invalid_detected_at: 'judged',
    time_zone: 'timezone',
    language: 'language',
    dob: { tag: 'date_of_birth' },
    apps: 'leftOut',
    attributed_ad: 'leftOut',
    attributed_adgroup: 'leftOut',
    attributed_campaign: 'leftOut',
    attributed_source: 'leftOut',
    campaigns_received: 'leftOut',
    canvases_received: 'leftOut',
    cards_clicked: 'leftOut',
    created_at: { tag: 'created_at' },
    custom_events: 'leftOut',
    devices: 'leftOut',
    email_opted_in_at: { tag: 'email_opted_in_at' },
    last_coordinates: 'leftOut',
    purchases: 'leftOut',
    push_opted_in_at: 'leftOut',
    push_unsubscribed_at: 'leftOut',
    random_bucket: 'leftOut',
    uninstalled_at: 'leftOut',
  },
  tagObjects: ['custom_attributes'],
  refuses({ format }) {
    return format === 'json'
      ? undefined
      : 'it is a CSV, which has no subscription groups and no push tokens. Export JSON by /users/export/segment.';
  },
  judge(record, draft) {
    draft.id(record.text('external_id'));
    if (record.text('braze_id') !== '') draft.id(`braze:${record.text('braze_id')}`);
    const groups = draft.attempt(() => groupsOf(record)) ?? [];
    const isListed = ['hard_bounced_at', 'unsubscribed_at', 'invalid_detected_at'].some(
      (name) => record.text(name) !== '',
    );
    const isPerson = !isListed && !record.file.isSuppressed;
    const email = record.text('email');
    draft.attempt(() => judgeEmail(record, email, groups.length > 0, draft));
    const phone = record.text('phone');
    const texts = smsStanding(record, groups);
    if (texts === undefined) draft.tag('phone', phone);
    else draft.phone(phone, ...texts, record.text('country'));
    for (const { name, isIn } of groups) draft.topic(name, isIn ? 'in' : 'out');
    pushTokensOf(record, draft);
    draft.isPerson = isPerson;
  },
};

function judgeEmail(record: ServiceRecord, email: string, hasGroups: boolean, draft: Draft): void {
  const [standing, why] = emailStanding(record);
  const isKnown = standing !== 'subscribed' || record.text('email_subscribe') !== '';
  if (isKnown || record.file.mayAssume) draft.email(email, standing, why);
  else if (email !== '' && !hasGroups)
    throw new WrongRecord('email_subscribe: is missing; export it, or use --assume-subscribed');
  // The status of groups alone does not say whether the person takes mail at all.
  else draft.id(email.toLowerCase());
}

function emailStanding(record: ServiceRecord): [standing: Standing, why: string] {
  const has = (...names: string[]) => names.some((name) => record.text(name) !== '');
  if (record.file.isSuppressed) return ['refused', 'suppressed'];
  if (has('email_hard_bounced_at', 'hard_bounced_at')) return ['refused', 'hard bounce'];
  if (has('email_marked_as_spam_at', 'marked_as_spam_at')) return ['refused', 'complained'];
  const state = record.text('email_subscribe').toLowerCase();
  if (state === 'unsubscribed' || has('unsubscribed_at')) return ['unsubscribed', ''];
  // Somebody who subscribed anew keeps the date of the time before.
  if (state === 'opted_in' || state === 'subscribed' || state === '') return ['subscribed', ''];
  throw new WrongRecord(
    `email_subscribe: expected opted_in, subscribed or unsubscribed, not “${state}”`,
  );
}

/** Braze sends texts only to people in a subscription group for them; `undefined`: not known. */
function smsStanding(
  record: ServiceRecord,
  groups: readonly Group[],
): [standing: Standing, why: string] | undefined {
  if (record.file.isSuppressed) return ['refused', 'suppressed'];
  if (record.text('invalid_detected_at') !== '') return ['refused', 'invalid number'];
  const own = groups.filter(({ channel }) => channel === 'sms' || channel === 'whatsapp');
  if (own.some(({ isIn }) => isIn)) return ['subscribed', ''];
  if (own.length > 0) return ['unsubscribed', 'in no subscription group for texts'];
  return record.file.mayAssume ? ['subscribed', ''] : undefined;
}

interface Group {
  readonly name: string;
  readonly channel: string;
  readonly isIn: boolean;
}

function groupsOf(record: ServiceRecord): readonly Group[] {
  const groups = record.value('subscription_groups');
  if (groups === undefined || groups === null) return [];
  if (!Array.isArray(groups)) throw new WrongRecord('subscription_groups: expected a list');
  return groups.map((group: unknown) => {
    if (!isObject(group)) throw new WrongRecord('subscription_groups: expected objects');
    const name = group['name'] ?? group['subscription_group_name'] ?? group['id'];
    const state = String(group['status'] ?? group['subscription_state'] ?? '').toLowerCase();
    if (typeof name !== 'string' || !/^(un)?subscribed$/.test(state))
      throw new WrongRecord(
        `subscription_groups: expected a name and the status Subscribed or Unsubscribed`,
      );
    const channel = String(group['channel'] ?? '').toLowerCase();
    return { name, channel, isIn: state === 'subscribed' };
  });
}

function pushTokensOf(record: ServiceRecord, draft: Draft): void {
  const tokens = record.value('push_tokens');
  if (!Array.isArray(tokens)) return;
  const isOut = record.text('push_subscribe').toLowerCase() === 'unsubscribed';
  for (const one of tokens as readonly unknown[]) {
    if (!isObject(one) || typeof one['token'] !== 'string') continue;
    const platform = String(one['platform'] ?? '').toLowerCase();
    const channel = /ios|apple|mac/.test(platform)
      ? 'apns'
      : platform.includes('android')
        ? 'fcm'
        : undefined;
    if (channel === undefined) draft.left.push('push_other_platform');
    else draft.push(channel, one['token'], isOut || one['notifications_enabled'] === false);
  }
}
