// The words of Usage and billing.

import type { Invoice } from '../../api/generated.ts';
import { type PluralForms, plural } from '../../words/plural.ts';

const anonymous: PluralForms = {
  one: '{n} of them without proof of identity',
  other: '{n} of them without proof of identity',
};

export const words = {
  title: 'Usage and billing',
  month: 'Month',
  now: 'so far',
  figures: {
    mau: 'Monthly active users',
    mauNote: 'People who were active or got a message, counted once per month and app.',
    emails: 'Emails delivered',
    ofAllowance: (included: string) => `of ${included} included`,
    unlimited: 'no limit',
    over: (n: string) => `${n} over the allowance`,
    today: 'Sends today',
    ofCap: (cap: string) => `of ${cap} per day`,
    storage: 'Stored',
    ofQuota: (quota: string) => `of ${quota}`,
  },
  clock:
    'Billing is paused: the server’s clock is not confirmed after a restart, so no month is closed and nothing is charged. It resumes when the clock is confirmed.',
  paused: {
    title: 'Email is paused.',
    text: 'This month’s allowance is used up. Connect a payment method to resume now; otherwise email resumes when the month ends (UTC).',
    failed:
      'An invoice could not be charged. Until it is paid, no email is sent beyond the allowance.',
    soon: 'The email allowance is nearly used up. Without a payment method, email pauses when it runs out.',
  },
  usage: {
    title: 'By app',
    app: 'App',
    mau: 'Active users',
    share: 'Share',
    deleted: 'deleted',
    older: 'Apps deleted long ago',
    unvouched: (n: number) => plural(n, anonymous),
    none: 'No app had active users in this month.',
    byDay: 'By day',
    byDayText: 'Active users since the start of the month, at the end of each UTC day.',
    day: 'Day',
    noDays: 'Daily figures are kept for this month and the three months before.',
    clients: 'By client',
    client: 'Client',
    emails: 'Emails',
    beyond: 'Over the allowance',
  },
  preview: {
    title: 'Invoice',
    soFar: 'Invoice so far',
    intro: 'Estimate based on usage so far.',
    line: 'Item',
    quantity: 'Quantity',
    amount: 'Amount',
    total: 'Total',
    prices: (table: string) => `Price table ${table}, in US dollars.`,
  },
  method: {
    title: 'Payment method',
    none: 'No payment method is connected. Nothing can be charged, and email pauses at the allowance.',
    card: (brand: string, last4: string) =>
      `${brand.charAt(0).toUpperCase()}${brand.slice(1)} ending in ${last4}`,
    expires: (when: string) => `expires ${when}`,
    connect: 'Connect payment method',
    replace: 'Replace payment method',
    done: 'Welcome back. The payment method appears below as soon as the provider confirms it.',
    hint: 'Opens the payment provider’s page. Card data never reaches this server.',
  },
  invoices: {
    title: 'Invoices',
    number: 'Number',
    month: 'Month',
    state: 'State',
    issued: 'Issued',
    total: 'Total',
    none: 'No invoices yet. The first invoice is issued at the end of a month with charges.',
    states: {
      open: 'Open',
      paid: 'Paid',
      failed: 'Payment failed',
      void: 'Void',
    } satisfies Record<Invoice['status'], string>,
  },
  limits: {
    title: 'Limits',
    intro: 'Set by the server’s operator.',
    transactional: 'Transactional calls per minute',
    standard: 'Other calls per minute',
    free: (n: string) => `${n} available now`,
    batch: 'Recipients per batch',
    retention: 'Event retention',
    days: (n: string) => `up to ${n} days`,
    perIp: 'Calls per minute from one IP address, without a key',
    none: 'no limit',
    shared: {
      name: 'All client workspaces',
      full: 'Your agency’s client workspaces have used up their shared storage',
      used: (used: string, most: string) => `${used} of ${most}`,
    },
    stored: {
      people: 'People and opt-outs',
      events: 'Events',
      content: 'Messages, segments and other content',
      pictures: 'Pictures',
      webhooks: 'Webhook deliveries',
    },
  },
  notConfigured:
    'Billing is not configured on this server. Usage is counted, and nothing is charged.',
  ofAgency: 'Your agency is billed for this workspace. Usage is shown here.',
  orgOnly: 'This session’s key works for one app only. Sign in as a member to see billing.',
} as const;

/** The payment provider's codes that are seen most; its list is long, and open. */
const declines: Readonly<Record<string, string>> = {
  authentication_required: 'The bank asks the cardholder to confirm the payment',
  card_declined: 'The bank declined the card',
  do_not_honor: 'The bank declined the card',
  expired_card: 'The card has expired',
  fraudulent: 'The bank suspects fraud',
  generic_decline: 'The bank declined the card',
  incorrect_cvc: 'The security code of the card is wrong',
  insufficient_funds: 'The account has insufficient funds',
  internal: 'The payment provider could not be reached',
  lost_card: 'The card was reported lost',
  processing: 'The payment is being processed',
  processing_error: 'The payment provider could not process the card',
  stolen_card: 'The card was reported stolen',
};

export function declinedBy(reason: string | undefined): string {
  if (reason === undefined) return '';
  return Object.hasOwn(declines, reason)
    ? (declines[reason] ?? '')
    : `The bank’s reason: ${reason.replaceAll('_', ' ')}`;
}
