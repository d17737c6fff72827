// The words of Home.

import { type PluralForms, plural } from '../../words/plural.ts';

const people: PluralForms = { one: '{n} person', other: '{n} people' };
const perSecond = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

export const words = {
  title: 'Home',
  sendCampaign: 'New campaign',
  allQuiet: 'Nothing needs your attention now.',
  needs: 'Needs attention',
  channelStates: {
    refused: {
      title: (channel: string) => `${channel}: the provider rejects the account`,
      text: 'Sends wait until its credential is valid again.',
    },
    unreachable: {
      title: (channel: string) => `${channel}: the provider does not respond`,
      text: 'Sends wait and resume when the provider responds again.',
    },
  },
  lastFailure: (failure: string) => `Last failure: ${failure}.`,
  nextTry: 'Next attempt:',
  sending: 'Sending now',
  planned: 'Planned',
  today: 'Today',
  week: 'The last 7 days',
  progress: (done: string, total: string) => `${done} of ${total}`,
  perSecond: (rate: number) => `${perSecond.format(rate)} per second`,
  ends: 'ends',
  stuck: (name: string) => `“${name}” is waiting`,
  paused: (name: string) => `“${name}” is paused`,
  failed: (name: string) => `“${name}” failed`,
  waits: (why: string, n: number | undefined) =>
    `Waiting: ${why}${n === undefined ? '' : ` (${plural(n, people)})`}.`,
  throttled: (why: string) => `As planned: ${why}.`,
  goesOn: 'It resumes',
  lastAt: 'Last failure',
  noReason: 'The server gave no reason.',
  pausedText: 'It sends nothing until someone resumes it.',
  pausedAt: (done: string, total: string) =>
    `${done} of ${total} processed; the rest waits until someone resumes it.`,
  sentence: (why: string, n: number | undefined) =>
    `${why.slice(0, 1).toUpperCase()}${why.slice(1)}${n === undefined ? '' : ` (${plural(n, people)})`}.`,
  capReached: (cap: string) => `The daily cap of ${cap} sends is reached`,
  capText: 'Campaigns and journeys wait.',
  allowanceUsed: (all: string) => `This month’s ${all} emails are used up`,
  allowanceText: 'Emails are suppressed until you connect a payment method or the month ends.',
  limits: 'View limits',
  toChannels: 'Set up the channel',
  moreNeeds: (n: number) => plural(n, { one: 'and {n} more', other: 'and {n} more' }),
  open: 'Open',
  sees: 'View and redrive',
  failuresOf: (n: number, why: string) =>
    `${plural(n, { one: '{n} message failed', other: '{n} messages failed' })}: ${why}`,
  recovered: (n: string) => `${n} delivered later by a redrive.`,
  lanes: {
    transactional: 'transactional, sent by your backend',
    campaign: 'from campaigns',
    journey: 'from journeys',
  },
  sends: 'Sends today',
  ofCap: (cap: string) => `of ${cap} per day`,
  noCap: 'no daily cap',
  emails: 'Emails delivered this month',
  ofAllowance: (all: string) => `of ${all} included`,
  noAllowance: 'no limit',
  storage: 'Stored',
  ofQuota: (all: string) => `of ${all}`,
  bounceRate: (share: string) => `${share} of attempts`,
  none: 'Nothing was sent in the last 7 days.',
  start: 'Your first campaign in three minutes',
  doneOf: (done: number, all: number) => `${done} of ${all} done`,
  hide: 'Hide these steps',
  addSample: 'Add 130 sample people',
  steps: {
    people: { title: 'Add people', text: 'Import a CSV, or use sample people.' },
    message: {
      title: 'Write a message',
      text: 'Start from a template and preview it on each channel.',
    },
    campaign: {
      title: 'Choose who gets it',
      text: 'A campaign sends a message to a segment or to everyone.',
    },
    send: {
      title: 'Review and send',
      text: 'A dry run shows who would get it, and why others would not.',
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
