// Mailchimp: the three CSV files of an audience export, one for each status.
//
// Columns: public examples of exports agree on OPTIN_TIME to TAGS, on LAST_CHANGED in the file of
// subscribed people, UNSUB_TIME in that of unsubscribed and CLEAN_TIME in that of cleaned ones
// (mailchimp.com/help/export-contacts, "view or export contacts"). The name of the file begins with
// the status. "Cleaned" is a hard bounce.

import type { Standing } from '../draft.ts';
import type { Service, ServiceFile } from '../origin.ts';
import { WrongRecord } from '../wrong-record.ts';

export const mailchimp: Service = {
  id: 'mailchimp',
  title: 'Mailchimp',
  exports:
    'the zip of Audience > Export audience, unpacked: the files of subscribed, unsubscribed, cleaned and non-subscribed contacts',
  columns: {
    'email address': 'judged',
    email: 'judged',
    unsub_time: 'judged',
    unsub_reason: 'judged',
    clean_time: 'judged',
    tags: 'judged',
    'first name': { tag: 'first_name' },
    'last name': { tag: 'last_name' },
    'phone number': { tag: 'phone' },
    timezone: 'timezone',
    cc: { tag: 'country' },
    member_rating: { tag: 'member_rating' },
    optin_time: { tag: 'opted_in_at' },
    optin_ip: 'leftOut',
    confirm_time: { tag: 'confirmed_at' },
    confirm_ip: 'leftOut',
    latitude: 'leftOut',
    longitude: 'leftOut',
    gmtoff: 'leftOut',
    dstoff: 'leftOut',
    region: { tag: 'region' },
    last_changed: 'leftOut',
    unsub_campaign_title: 'leftOut',
    unsub_campaign_id: 'leftOut',
    unsub_reason_other: 'leftOut',
    clean_campaign_title: 'leftOut',
    clean_campaign_id: 'leftOut',
    leid: 'leftOut',
    euid: { tag: 'mailchimp_id' },
    notes: 'leftOut',
  },
  refuses(file) {
    const { columns, isSuppressed, mayAssume } = file;
    if (!columns.has('email address') && !columns.has('email'))
      return 'it has no column Email Address.';
    if (isSuppressed || mayAssume || standingOf(file) !== undefined) return undefined;
    return 'neither its name nor its columns say whether these contacts are subscribed. Keep the name that the export gave it, or use --suppressed or --assume-subscribed.';
  },
  judge(record, draft) {
    const { file } = record;
    const email = record.text('email address') || record.text('email');
    if (email === '') throw new WrongRecord('Email Address: is missing');
    // Whichever of the file and the line says less counts.
    const own: Standing | undefined =
      record.text('clean_time') !== ''
        ? 'refused'
        : record.text('unsub_time') !== ''
          ? 'unsubscribed'
          : undefined;
    const standing = file.isSuppressed ? 'refused' : (own ?? standingOf(file) ?? 'subscribed');
    const isComplaint = /abuse|spam/i.test(record.text('unsub_reason'));
    const when = record.text('unsub_time') || record.text('clean_time');
    const what = isComplaint ? 'complained' : whys[standing];
    draft.email(email, isComplaint ? 'refused' : standing, when === '' ? what : `${what} ${when}`);
    const tags = quotedList(record.text('tags'));
    if (tags.length > 0) draft.tag('tags', tags);
    if (file.isSuppressed) draft.isPerson = false;
  },
};

const whys: Readonly<Record<Standing, string>> = {
  subscribed: '',
  pending: '',
  unsubscribed: 'unsubscribed',
  never: 'never subscribed',
  refused: 'cleaned after bounces',
};

/** By the columns that only one of the files has, and by the name that the export gives it. */
function standingOf({ name, columns }: ServiceFile): Standing | undefined {
  const word = /(non-?subscribed|unsubscribed|cleaned|pending|subscribed)/i.exec(name)?.[1];
  const named = word === undefined ? undefined : standingOfName(word.toLowerCase());
  if (columns.has('clean_time') || named === 'refused') return 'refused';
  if (columns.has('unsub_time') || named === 'unsubscribed') return 'unsubscribed';
  if (named !== undefined) return named;
  return columns.has('last_changed') && columns.has('optin_time') ? 'subscribed' : undefined;
}

function standingOfName(word: string): Standing {
  if (word === 'cleaned') return 'refused';
  if (word === 'unsubscribed') return 'unsubscribed';
  if (word === 'pending') return 'pending';
  return word === 'subscribed' ? 'subscribed' : 'never';
}

/** `"VIP","Hanoi, 2024"` within one cell. */
function quotedList(cell: string): string[] {
  const items = cell.match(/"(?:[^"]|"")*"|[^",]+/g) ?? [];
  return items
    .map((item) => item.replace(/^"|"$/g, '').replaceAll('""', '"').trim())
    .filter((item) => item !== '');
}
