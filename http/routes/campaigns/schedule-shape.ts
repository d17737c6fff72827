// The wire shape of a schedule: at once, at an instant, or recurring in a time zone. Instants are
// RFC 3339 texts here and milliseconds in the actor, which checks the fields of a recurring
// schedule together. Source: contract, section 6.

import { z } from 'zod';
import { integerRange } from '../../../actors/integer-range.ts';
import { limits } from '../../../actors/limits.ts';
import type { Schedule } from '../../../actors/programs/campaigns/records.ts';
import { present } from '../../call/answer/present.ts';
import { instant, instantText, zoneSchema } from '../../call/schemas/schemas.ts';

export const localTimeSchema = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'expected a time of day as HH:mm, such as 09:30');

/** In the order of the actor's numbers. */
const weekdayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

const now = z.object({ type: z.literal('now') }).meta({ title: 'Now' });

const at = z
  .object({
    type: z.literal('at'),
    at: instantText.describe(
      'When to send. A time that has passed when you call `send` means now.',
    ),
  })
  .meta({ title: 'At a set time' });

const recurring = z
  .object({
    type: z.literal('recurring'),
    every: z.enum(['hour', 'day', 'week', 'month']),
    interval: integerRange(1, limits.recurrenceIntervalMax)
      .optional()
      .describe(
        'Repeat every this many hours, days, weeks or months, counted from the first occurrence: the first time of day `at` after `send`, or after `startAt`. Default 1.',
      ),
    at: localTimeSchema.describe('Time of day, `HH:mm`. For `hour`, only the minutes count.'),
    weekdays: z
      .array(z.enum(weekdayNames, `expected one of ${weekdayNames.join(', ')}`))
      .min(1)
      .max(7)
      .overwrite((days) => weekdayNames.filter((day) => days.includes(day)))
      .optional()
      .describe('For `week`: the days. Default: the day of the first occurrence.'),
    dayOfMonth: integerRange(1, 31)
      .optional()
      .describe('For `month`: the day. In shorter months, the last day. Default 1.'),
    timezone: zoneSchema,
    startAt: instantText.optional().describe('No occurrence before this time.'),
    endAt: instantText.optional().describe('No occurrence at or after this time.'),
  })
  .meta({ title: 'Recurring' });

export const scheduleSchema = z
  .discriminatedUnion('type', [now, at, recurring], {
    error: ({ code }) =>
      code === 'invalid_union' ? 'expected one of now, at, recurring' : undefined,
  })
  .describe('When the campaign is sent. Default `{type: "now"}`.')
  .meta({ id: 'Schedule' });

export function scheduleOf(schedule: z.output<typeof scheduleSchema>): Schedule {
  if (schedule.type === 'now') return { type: 'now' };
  if (schedule.type === 'at') return { type: 'at', atMs: Date.parse(schedule.at) };
  const { startAt, endAt, weekdays: names, ...rest } = schedule;
  const weekdays = names?.map((day) => weekdayNames.indexOf(day));
  const startMs = startAt === undefined ? undefined : Date.parse(startAt);
  const endMs = endAt === undefined ? undefined : Date.parse(endAt);
  return present({ ...rest, weekdays, startMs, endMs });
}

export function scheduleView(schedule: Schedule): z.output<typeof scheduleSchema> {
  if (schedule.type === 'now') return { type: 'now' };
  if (schedule.type === 'at') return { type: 'at', at: instant(schedule.atMs) };
  const { startMs, endMs, weekdays, ...rest } = schedule;
  return present({
    ...rest,
    weekdays: weekdays?.flatMap((day) => weekdayNames[day] ?? []),
    startAt: startMs === undefined ? undefined : instant(startMs),
    endAt: endMs === undefined ? undefined : instant(endMs),
  });
}
