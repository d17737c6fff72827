// The words of Home.

import { type PluralForms, plural } from '../../words/plural.ts';

const people: PluralForms = { one: '{n} person', other: '{n} people' };
const perSecond = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

export const words = {
  title: 'Home',
  sendCampaign: 'New campaign',
  allQuiet: 'Nothing needs you now.',
  needs: 'Needs you',
  channelStates: {
    refused: {
      title: (channel: string) => `${channel}: the provider refuses the account`,
      text: 'Sends wait until its credential is valid again.',
    },
    unreachable: {
      title: (channel: string) => `${channel}: the provider does not answer`,
      text: 'Sends wait, and go out when it answers again.',
    },
  },
  lastFailure: (failure: string) => `The last failure: ${failure}.`,
  nextTry: 'Next try:',
  sending: 'Sending now',
  planned: 'Planned',
  today: 'Today',
  week: 'The last 7 days',
  progress: (done: string, total: string) => `${done} of ${total}`,
  perSecond: (rate: number) => `${perSecond.format(rate)} a second`,
  ends: 'ends',
  stuck: (name: string) => `“${name}” waits`,
  paused: (name: string) => `“${name}” is paused`,
  failed: (name: string) => `“${name}” failed`,
  waits: (why: string, n: number | undefined) =>
    `Waits: ${why}${n === undefined ? '' : ` (${plural(n, people)})`}.`,
  throttled: (why: string) => `As planned: ${why}.`,
  goesOn: 'It goes on',
  lastAt: 'The last one',
  noReason: 'The server gave no reason.',
  pausedText: 'It sends nothing until somebody resumes it.',
  pausedAt: (done: string, total: string) =>
    `${done} of ${total} decided; the rest waits until somebody resumes it.`,
  sentence: (why: string, n: number | undefined) =>
    `${why.slice(0, 1).toUpperCase()}${why.slice(1)}${n === undefined ? '' : ` (${plural(n, people)})`}.`,
  capReached: (cap: string) => `The daily cap of ${cap} sends is reached`,
  capText: 'Campaigns and journeys wait.',
  allowanceUsed: (all: string) => `The ${all} emails of this month are used up`,
  allowanceText:
    'Without a payment method, emails are suppressed until one is connected or the month ends.',
  limits: 'See the limits',
  toChannels: 'Set up the channel',
  moreNeeds: (n: number) => plural(n, { one: 'and {n} more', other: 'and {n} more' }),
  open: 'Open',
  sees: 'See and redrive',
  failuresOf: (n: number, why: string) =>
    `${plural(n, { one: '{n} message failed', other: '{n} messages failed' })}: ${why}`,
  recovered: (n: string) => `${n} delivered since by a redrive.`,
  lanes: {
    transactional: 'sent one by one by your backend',
    campaign: 'of campaigns',
    journey: 'of journeys',
  },
  sends: 'Sends today',
  ofCap: (cap: string) => `of ${cap} a day`,
  noCap: 'no daily cap',
  emails: 'Emails delivered this month',
  ofAllowance: (all: string) => `of ${all} included`,
  noAllowance: 'no limit',
  storage: 'Stored',
  ofQuota: (all: string) => `of ${all}`,
  delivered: 'Delivered',
  bounced: 'Bounced',
  suppressed: 'Suppressed',
  failedFigure: 'Failed',
  bounceRate: (share: string) => `${share} of attempts`,
  bouncedColumn: 'Bounce rate',
  channel: 'Channel',
  none: 'Nothing was sent in the last 7 days.',
  start: 'First campaign in three minutes',
  doneOf: (done: number, all: number) => `${done} of ${all} done`,
  hide: 'Hide these steps',
  addSample: 'Add 130 sample people',
  steps: {
    people: { title: 'Add people', text: 'Import a CSV, or take the sample.' },
    message: {
      title: 'Write a message',
      text: 'Start from a template and see it on each channel.',
    },
    campaign: {
      title: 'Choose who gets it',
      text: 'A campaign sends a message to a segment, or to everybody.',
    },
    send: {
      title: 'Review and send',
      text: 'A dry run says who would get it, and why the others would not.',
    },
    deliver: {
      title: 'See it arrive',
      text: 'In sandbox mode every message lands in the inbox.',
      live: 'The campaign shows each delivery as it happens.',
    },
  },
  done: 'done',
  toDo: 'to do',
} as const;
