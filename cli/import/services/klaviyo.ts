// Klaviyo: the CSV of a list, of a segment with all profiles, and of suppressed profiles.
//
// Columns: help.klaviyo.com, "How to export a list or segment to a CSV file" (115005078687) and
// "How to manage email suppressions" (24312135764251). Consent is SUBSCRIBED, UNSUBSCRIBED or
// NEVER_SUBSCRIBED; reasons of suppression are those of the API: UNSUBSCRIBE, USER_SUPPRESSED,
// SPAM_COMPLAINT, HARD_BOUNCE, INVALID_EMAIL.

import type { Standing } from '../draft.ts';
import type { Service, ServiceFile, ServiceRecord } from '../origin.ts';
import { WrongRecord } from '../wrong-record.ts';

const emailConsent = ['email marketing consent', 'email consent', 'email subscription status'];
const smsConsent = ['sms marketing consent', 'sms consent', 'sms subscription status'];
const suppressionReason = ['reason', 'suppression reason', 'email suppression reason'];

const judged = Object.fromEntries(
  [...emailConsent, ...smsConsent, ...suppressionReason].map((name) => [name, 'judged' as const]),
);

export const klaviyo: Service = {
  id: 'klaviyo',
  title: 'Klaviyo',
  exports:
    'a segment of all profiles as CSV with all columns, and Profiles > Suppressed profiles as CSV',
  columns: {
    ...judged,
    email: 'judged',
    'email address': 'judged',
    'phone number': 'judged',
    'external id': 'judged',
    'klaviyo id': { tag: 'klaviyo_id' },
    'email suppressions': 'judged',
    'email suppression': 'judged',
    suppressed: 'judged',
    'first name': { tag: 'first_name' },
    'last name': { tag: 'last_name' },
    timezone: 'timezone',
    locale: 'language',
    country: { tag: 'country' },
    'email marketing consent timestamp': { tag: 'email_consent_at' },
    'sms marketing consent timestamp': { tag: 'sms_consent_at' },
    'ip address': 'leftOut',
    latitude: 'leftOut',
    longitude: 'leftOut',
  },
  refuses(file) {
    const { columns, isSuppressed, mayAssume } = file;
    const hasEmail = columns.has('email') || columns.has('email address');
    if (!hasEmail && !columns.has('phone number'))
      return 'it has neither a column Email nor a column Phone Number.';
    if (isSuppressed || mayAssume || isSuppressionList(file)) return undefined;
    if (emailConsent.some((name) => columns.has(name))) return undefined;
    return 'it has no column Email Marketing Consent, so it does not say who opted out. Export it with that column; a list of suppressed profiles needs --suppressed.';
  },
  judge(record, draft) {
    const { file } = record;
    const email = record.text('email') || record.text('email address');
    const phone = record.text('phone number');
    draft.id(record.text('external id'));
    if (file.isSuppressed || isSuppressionList(file)) {
      const reason = firstOf(record, suppressionReason);
      const isChoice = /^(unsubscribed?|user_suppressed)$/i.test(reason);
      if (email === '' && phone === '') throw new WrongRecord('Email: is missing');
      const why = reason === '' ? 'suppressed' : reason.toLowerCase();
      draft.email(email, isChoice ? 'unsubscribed' : 'refused', why);
      draft.phone(phone, isChoice ? 'unsubscribed' : 'refused', why);
      draft.isPerson = false;
      return;
    }
    const suppressions = firstOf(record, ['email suppressions', 'email suppression', 'suppressed']);
    const isSuppressed = !/^(\[\]|false|no|none|0)?$/i.test(suppressions);
    const isChoice = /^\W*(unsubscribed?|user_suppressed)\W*$/i.test(suppressions);
    if (isSuppressed)
      draft.email(email, isChoice ? 'unsubscribed' : 'refused', suppressions.toLowerCase());
    else draft.attempt(() => draft.email(email, standingOf(record, emailConsent)));
    const hasSms = smsConsent.some((name) => file.columns.has(name));
    const country = record.text('country');
    if (hasSms || file.mayAssume) draft.phone(phone, standingOf(record, smsConsent), '', country);
    else {
      // Nobody is known to have asked for texts, so the number is kept, and not sent to.
      draft.tag('phone_number', phone);
      draft.id(phone);
    }
  },
};

/** Addresses with a reason, and no consent. */
function isSuppressionList({ columns }: ServiceFile): boolean {
  const hasConsent = emailConsent.some((name) => columns.has(name));
  return !hasConsent && suppressionReason.some((name) => columns.has(name));
}

function firstOf(record: ServiceRecord, names: readonly string[]): string {
  return names.map((name) => record.text(name)).find((text) => text !== '') ?? '';
}

function standingOf(record: ServiceRecord, names: readonly string[]): Standing {
  const text = firstOf(record, names);
  const word = text.toUpperCase().replace(/[\s-]+/g, '_');
  if (/^(SUBSCRIBED|SUBSCRIBE|TRUE)$/.test(word)) return 'subscribed';
  if (/^(UNSUBSCRIBED|UNSUBSCRIBE|FALSE)$/.test(word)) return 'unsubscribed';
  if (/^(NEVER_SUBSCRIBED|NOT_SUBSCRIBED|)$/.test(word))
    return text === '' && record.file.mayAssume ? 'subscribed' : 'never';
  throw new WrongRecord(
    `${names[0]}: expected SUBSCRIBED, UNSUBSCRIBED or NEVER_SUBSCRIBED, not “${text}”`,
  );
}
