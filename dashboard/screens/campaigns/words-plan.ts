// The words of a campaign's plan.

import { type PluralForms, plural } from '../../words/plural.ts';

const hourForms: PluralForms = { one: '{n} hour', other: '{n} hours' };
const minuteForms: PluralForms = { one: '{n} minute', other: '{n} minutes' };
const units = { hour: 'hour', day: 'day', week: 'week', month: 'month' } as const;

export const planWords = {
  plan: {
    topic: 'Topic',
    channels: 'Channels',
    allChannels: 'All of a person’s devices',
    fallbackHead: 'Fallback',
    fallback: (channels: string, wait: string) =>
      `On ${channels}, to everyone who has not opened or clicked after ${wait}`,
    schedule: 'When',
    next: 'Next send',
    now: 'Immediately after you send it',
    at: (time: string, zone: string) => `${time} (${zone})`,
    atTime: (time: string) => `at ${time}`,
    atMinute: (minute: string) => `at minute ${minute}`,
    onDays: (days: string) => `on ${days}`,
    onDay: (day: number) => `on day ${day}`,
    from: (time: string) => `from ${time}`,
    until: (time: string) => `until ${time}`,
    delivery: 'Delivery',
    together: 'To everyone at the same time',
    local: (time: string) => `To each person at ${time} in their own time zone`,
    optimal: 'To each person at the hour they usually open messages',
    rate: 'Rate',
    throttle: (n: number) => `At most ${n.toLocaleString('en')} people per minute`,
    test: 'Test',
    experiment: (share: string, metric: string, wait: string) =>
      `${share} get the variants. After ${wait}, the variant with the most ${metric} is sent to the rest.`,
    holdout: (share: string) => `${share} are held out as the control group.`,
    goal: (event: string, hours: number) =>
      `“${event}” counts as a conversion within ${plural(hours, hourForms)} of each person’s send.`,
    variant: (id: string, weight: number) => `${id}, weight ${weight}:`,
    guard: 'Campaign guard',
    ifLate: 'If late',
    id: 'ID',
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
