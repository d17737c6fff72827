// listmonk: the CSV of subscribers, or the JSON that its API answers, which has the lists too.
//
// Columns: github.com/knadh/listmonk, cmd/subscribers.go (ExportSubscribers writes uuid, email,
// name, attributes, status, created_at, updated_at) and models (status enabled, disabled or
// blocklisted; each of `lists` has a name and a subscription_status unconfirmed, confirmed or
// unsubscribed).

import { isObject } from '../../../actors/is-object.ts';
import type { Draft } from '../draft.ts';
import type { Service } from '../origin.ts';
import { WrongRecord } from '../wrong-record.ts';

export const listmonk: Service = {
  id: 'listmonk',
  title: 'listmonk',
  exports:
    'Subscribers > Export as CSV, or GET /api/subscribers?per_page=all as JSON, which has the lists too',
  columns: {
    id: 'leftOut',
    uuid: { tag: 'listmonk_uuid' },
    email: 'judged',
    name: { tag: 'name' },
    status: 'judged',
    lists: 'judged',
    created_at: 'leftOut',
    updated_at: 'leftOut',
  },
  tagObjects: ['attributes', 'attribs'],
  refuses({ columns, format, isSuppressed, mayAssume }) {
    if (format === 'json') return undefined;
    if (!columns.has('email')) return 'it has no column email.';
    if (isSuppressed || mayAssume || columns.has('status')) return undefined;
    return 'it has no column status, so it does not say who is blocklisted. Export it with that column, or use --assume-subscribed.';
  },
  judge(record, draft) {
    const email = record.text('email');
    if (email === '') throw new WrongRecord('email: is missing');
    const { isSuppressed, mayAssume } = record.file;
    const status = record.text('status').toLowerCase();
    if (isSuppressed || status === 'blocklisted' || status === 'blacklisted')
      draft.email(email, 'refused', isSuppressed ? 'suppressed' : 'blocklisted');
    else if (status === 'disabled') draft.email(email, 'unsubscribed', 'disabled');
    else if (status === 'enabled' || (status === '' && mayAssume)) draft.email(email, 'subscribed');
    else
      throw new WrongRecord(`status: expected enabled, disabled or blocklisted, not “${status}”`);
    listsOf(record.value('lists'), draft);
    if (isSuppressed) draft.isPerson = false;
  },
};

function listsOf(value: unknown, draft: Draft): void {
  let lists = value;
  if (typeof value === 'string') {
    if (value === '') return;
    try {
      lists = JSON.parse(value);
    } catch {
      // Names alone: who is on a list has not left it.
      for (const name of value.split(/[;|]/)) draft.topic(name.trim(), 'in');
      return;
    }
  }
  if (!Array.isArray(lists)) return;
  for (const list of lists) {
    if (!isObject(list) || typeof list['name'] !== 'string') continue;
    const status = list['subscription_status'];
    const isDouble = list['optin'] === 'double';
    const isIn = status === 'confirmed' || (status === 'unconfirmed' && !isDouble);
    draft.topic(list['name'], isIn || status === undefined ? 'in' : 'out');
  }
}
