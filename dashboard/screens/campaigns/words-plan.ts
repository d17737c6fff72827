// The words of a campaign's plan.

import { type PluralForms, plural } from '../../words/plural.ts';

const hourForms: PluralForms = { one: '{n} hour', other: '{n} hours' };
const minuteForms: PluralForms = { one: '{n} minute', other: '{n} minutes' };
const units = { hour: 'hour', day: 'day', week: 'week', month: 'month' } as const;

export const planWords = {
  plan: {
    channels: 'Channels',
    allChannels: 'Every device that a person has',
    fallbackHead: 'Fallback',
    fallback: (channels: string, wait: string) =>
      `On ${channels}, to everyone who has not opened or clicked after ${wait}`,
    schedule: 'When',
    next: 'Next send',
    now: 'As soon as it is sent',
    at: (time: string, zone: string) => `${time} (${zone})`,
    atTime: (time: string) => `at ${time}`,
    atMinute: (minute: string) => `at minute ${minute}`,
    onDays: (days: string) => `on ${days}`,
    onDay: (day: number) => `on day ${day}`,
    from: (time: string) => `from ${time}`,
    until: (time: string) => `until ${time}`,
    delivery: 'Delivery',
    together: 'To everybody at the same moment',
    local: (time: string) => `To each person at ${time} in their own time zone`,
    optimal: 'To each person at the hour they usually open messages',
    rate: 'Rate',
    throttle: (n: number) => `At most ${n.toLocaleString('en')} people a minute`,
    test: 'Test',
    experiment: (share: string, metric: string, wait: string) =>
      `${share} get the variants; after ${wait} the one with most ${metric} goes to the rest.`,
    holdout: (share: string) => `${share} are held out as the control group.`,
    goal: (event: string, hours: number) =>
      `A conversion is “${event}” within ${plural(hours, hourForms)} of a person’s own send.`,
    variant: (id: string, weight: number) => `${id}, weight ${weight}:`,
    guard: 'If its emails go wrong',
    ifLate: 'If late',
    id: 'Id',
  },
  late: {
    send: 'Send anyway if the time was missed by more than two hours',
    skip: 'Skip this send if the time was missed by more than two hours',
    hold: 'Pause and ask if the time was missed by more than two hours',
  },
  metrics: { opened: 'opens', clicked: 'clicks', converted: 'conversions' },
  weekdays: {
    mon: 'Monday',
    tue: 'Tuesday',
    wed: 'Wednesday',
    thu: 'Thursday',
    fri: 'Friday',
    sat: 'Saturday',
    sun: 'Sunday',
  },
  every: (unit: keyof typeof units, n: number) =>
    n === 1 ? `Every ${units[unit]}` : `Every ${n} ${units[unit]}s`,
  hours: (n: number) => plural(n, hourForms),
  minutes: (n: number) => plural(n, minuteForms),
} as const;
