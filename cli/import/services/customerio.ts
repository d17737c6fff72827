// Customer.io: the CSV of People, with `unsubscribed` and subscription preferences.
//
// Columns: docs.customer.io, "Export people" and "Subscription center": `unsubscribed` is a
// boolean, `cio_subscription_preferences` is JSON such as `{"topics": {"topic_1": true},
// "channels": {"sms": false}}`, and `_cio_subscription_preferences_computed` has the defaults
// filled in.

import { isObject } from '../../../actors/is-object.ts';
import type { Draft } from '../draft.ts';
import type { Service, ServiceRecord } from '../origin.ts';
import { WrongRecord } from '../wrong-record.ts';

export const customerIo: Service = {
  id: 'customerio',
  title: 'Customer.io',
  exports:
    'People > Export as CSV with all attributes; suppressed people as a file of their own with --suppressed',
  columns: {
    id: 'judged',
    cio_id: 'judged',
    email: 'judged',
    phone: 'judged',
    unsubscribed: 'judged',
    cio_subscription_preferences: 'judged',
    _cio_subscription_preferences_computed: 'judged',
    timezone: 'timezone',
    cio_timezone: 'timezone',
    language: 'language',
    created_at: { tag: 'created_at' },
  },
  refuses({ columns, isSuppressed, mayAssume }) {
    if (!['id', 'email', 'cio_id'].some((name) => columns.has(name)))
      return 'it has none of the columns id, email and cio_id.';
    if (isSuppressed || mayAssume || columns.has('unsubscribed')) return undefined;
    return 'it has no column unsubscribed, so it does not say who opted out. Export it with that attribute, or use --assume-subscribed.';
  },
  judge(record, draft) {
    const { isSuppressed } = record.file;
    draft.id(record.text('id'));
    const preferences = draft.attempt(() => preferencesOf(record)) ?? { topics: {}, channels: {} };
    const isOut = isSuppressed || draft.attempt(() => isYes(record, 'unsubscribed')) === true;
    const why = isSuppressed ? 'suppressed' : '';
    const standingOn = (channel: string) => {
      if (isSuppressed) return 'refused' as const;
      return isOut || preferences.channels[channel] === false ? 'unsubscribed' : 'subscribed';
    };
    draft.email(record.text('email'), standingOn('email'), why);
    draft.phone(record.text('phone'), standingOn('sms'), why, record.text('country'));
    if (record.text('cio_id') !== '') draft.id(`cio:${record.text('cio_id')}`);
    draft.attempt(() => topicsOf(preferences, draft));
    if (isSuppressed) draft.isPerson = false;
  },
};

interface Preferences {
  readonly topics: Readonly<Record<string, unknown>>;
  readonly channels: Readonly<Record<string, unknown>>;
}

function topicsOf({ topics }: Preferences, draft: Draft): void {
  for (const [name, isIn] of Object.entries(topics)) {
    if (typeof isIn !== 'boolean')
      throw new WrongRecord(`cio_subscription_preferences: ${name} must be true or false`);
    draft.topic(name, isIn ? 'in' : 'out');
  }
}

/** What the person chose, and the defaults for the rest. */
function preferencesOf(record: ServiceRecord): Preferences {
  const names = ['_cio_subscription_preferences_computed', 'cio_subscription_preferences'];
  let [topics, channels]: Readonly<Record<string, unknown>>[] = [{}, {}];
  for (const name of names) {
    let value = record.value(name);
    if (typeof value === 'string' && value !== '') {
      try {
        value = JSON.parse(value);
      } catch {
        throw new WrongRecord(`${name}: expected JSON, as the export has it`);
      }
    }
    if (!isObject(value)) continue;
    if (isObject(value['topics'])) topics = { ...topics, ...value['topics'] };
    if (isObject(value['channels'])) channels = { ...channels, ...value['channels'] };
  }
  return { topics: topics ?? {}, channels: channels ?? {} };
}

function isYes(record: ServiceRecord, name: string): boolean {
  const text = record.text(name);
  if (/^(true|1|yes|t)$/i.test(text)) return true;
  if (/^(false|0|no|f|)$/i.test(text)) return false;
  throw new WrongRecord(`${name}: expected true or false, not “${text}”`);
}
