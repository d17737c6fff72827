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
    mauNote: 'People who did something or got a message, once a month and app.',
    emails: 'Emails delivered',
    ofAllowance: (included: string) => `of ${included} included`,
    unlimited: 'no limit',
    over: (n: string) => `${n} beyond the allowance`,
    today: 'Sends today',
    ofCap: (cap: string) => `of ${cap} a day`,
    storage: 'Stored',
    ofQuota: (quota: string) => `of ${quota}`,
  },
  clock:
    'No month is closed and nothing is charged for now: the server’s clock is in doubt after a start. It goes on as soon as the clock is confirmed.',
  paused: {
    title: 'Email is paused.',
    text: 'The allowance of this month is used up. Connect a payment method and it goes on at once; otherwise it goes on when the month ends (UTC).',
    failed:
      'An invoice could not be charged. Email stays paused beyond the allowance until that invoice is paid.',
    soon: 'The email allowance is nearly used up. Without a payment method, email pauses at its end.',
  },
  usage: {
    title: 'By app',
    app: 'App',
    mau: 'Active users',
    share: 'Share',
    deleted: 'deleted',
    older: 'Apps that were deleted long ago',
    unvouched: (n: number) => plural(n, anonymous),
    none: 'No app had an active user in this month.',
    byDay: 'By day',
    byDayText: 'Active users of the month so far, at the end of each UTC day.',
    day: 'Day',
    noDays: 'Days are kept for this month and the three before it.',
    clients: 'By client',
    client: 'Client',
    emails: 'Emails',
    beyond: 'Beyond the allowance',
  },
  preview: {
    title: 'Invoice',
    soFar: 'Invoice so far',
    intro: 'From what was used up to now, as the invoice at the end of the month will be.',
    line: 'What',
    quantity: 'Quantity',
    amount: 'Amount',
    total: 'Total',
    prices: (table: string) => `Price table ${table}, in US dollars.`,
  },
  method: {
    title: 'Payment method',
    none: 'None is connected. Nothing can be charged; email pauses at the allowance.',
    card: (brand: string, last4: string) =>
      `${brand.charAt(0).toUpperCase()}${brand.slice(1)} ending in ${last4}`,
    expires: (when: string) => `expires ${when}`,
    connect: 'Connect payment method',
    replace: 'Replace payment method',
    done: 'Back from the payment provider. The method appears below as soon as the provider confirms it.',
    hint: 'Opens the payment provider’s page. Card data never reaches this server.',
  },
  invoices: {
    title: 'Invoices',
    number: 'Number',
    month: 'Month',
    state: 'State',
    issued: 'Issued',
    total: 'Total',
    none: 'No invoice yet. The first one is issued when a month with something to pay has ended.',
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
    transactional: 'Transactional calls a minute',
    standard: 'Other calls a minute',
    free: (n: string) => `${n} free now`,
    batch: 'Recipients in one batch',
    retention: 'Events are kept',
    days: (n: string) => `${n} days at most`,
    perIp: 'Calls a minute from one address, without a key',
    none: 'no limit',
    shared: {
      name: 'Client workspaces together',
      full: 'Your agency’s client workspaces have used up the storage that they share',
      used: (used: string, most: string) => `${used} of ${most}`,
    },
    stored: {
      people: 'Stored people and opt-outs',
      events: 'Stored events',
      content: 'Stored messages, segments and other content',
      pictures: 'Stored pictures',
      webhooks: 'Stored webhook deliveries',
    },
  },
  notConfigured:
    'Billing is not configured on this server. Usage is counted, and nothing is charged.',
  ofAgency: 'Your agency is billed for this workspace. Usage is shown here.',
  orgOnly: 'The key of this session works for one app. Sign in as a member to see billing.',
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
  insufficient_funds: 'The account has too little money',
  internal: 'The payment provider could not be asked',
  lost_card: 'The card was reported lost',
  processing: 'The payment is being processed',
  processing_error: 'The payment provider failed to process the card',
  stolen_card: 'The card was reported stolen',
};

export function declinedBy(reason: string | undefined): string {
  if (reason === undefined) return '';
  return Object.hasOwn(declines, reason)
    ? (declines[reason] ?? '')
    : `The bank’s reason: ${reason.replaceAll('_', ' ')}`;
}
