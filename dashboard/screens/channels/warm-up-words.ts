// The words of a sender domain's warm-up.

import type { WarmUp } from '../../api/generated.ts';
import { count } from '../../ui/figure.tsx';
import { type PluralForms, plural } from '../../words/plural.ts';

const daysForms: PluralForms = { one: '{n} day', other: '{n} days' };
const emails: PluralForms = { one: '{n} email', other: '{n} emails' };

export const warmUpWords = {
  title: 'Warm-up',
  states: {
    off: 'Off',
    scheduled: 'Not started yet',
    running: 'Running',
    held: 'On hold',
    finished: 'Finished',
  } satisfies Record<WarmUp['state'], string>,
  off: 'Campaigns from this domain send as fast as they can. A new domain should send a little more each day, so that mailbox providers learn to trust it.',
  intro:
    'Campaigns and journeys send at most this many emails on each UTC day, to the most engaged people first. Transactional emails count, and never wait.',
  start: 'Start warm-up',
  begin: 'Start',
  edit: 'Change numbers',
  save: 'Save numbers',
  cancel: 'Cancel',
  hold: 'Hold',
  isHeld: (domain: string) => `${domain} stays at the number of today.`,
  goOn: 'Continue',
  goesOn: (domain: string) => `${domain} sends more from tomorrow.`,
  end: 'End warm-up',
  endTitle: (domain: string) => `End the warm-up of ${domain}?`,
  endText: 'Emails that wait for it are sent at once. Mailbox providers may put them in spam.',
  endFinished: 'It has reached its last day and limits nothing.',
  ended: (domain: string) => `The warm-up of ${domain} has ended.`,
  unused: 'The app sends from another domain, so this warm-up limits nothing now.',
  unknown:
    'A backup was restored today, so nobody knows how many emails have left. Campaigns continue tomorrow.',
  starts: 'It starts',
  ends: 'The limit ends',
  finished: 'The last day is over. Nothing limits this domain any more.',
  today: (day: number, days: number, sent: number, max: number) =>
    `Day ${day} of ${days}: ${count(sent)} of ${plural(max, emails)} sent today.`,
  sentToday: 'Sent today',
  above: 'Transactional emails never wait, so it can be above the number.',
  curve: (days: number, first: string, last: string) =>
    `From ${first} to ${last} a day over ${plural(days, daysForms)}`,
  numbers: 'Emails per day',
  numbersHint: 'One number for each day, with a comma and a blank between them.',
  ambiguous: 'Put a blank after each comma, and write 1000 without a comma.',
  none: 'Enter at least one number.',
  tooMany: 'Enter at most 366 days.',
  notANumber: (typed: string) => `“${typed}” is not a whole number from 1 to 99999999.`,
} as const;
