// The wire shape of a warm-up: the numbers of its days, and where it stands.

import { z } from 'zod';
import { mailboxGroups } from '../../../actors/channels/email/mailbox-groups.ts';
import type { WarmUpInput, WarmUpShown } from '../../../actors/sending/warm-up/protocol.ts';
import {
  defaultCurve,
  type WarmUpDay,
  warmUpEtag,
} from '../../../actors/sending/warm-up/warm-up.ts';
import { present } from '../../call/answer/present.ts';
import { exampleEtag, exampleInstant } from '../../call/schemas/example-ids.ts';
import { etagSchema, instant, instantSchema } from '../../call/schemas/schemas.ts';

const mailsMax = 100_000_000;
const daysMax = 366;

const number = z.int().min(0).max(mailsMax);

const perProvider = z
  .partialRecord(z.enum(mailboxGroups), number)
  .describe(
    'Smaller numbers for some mailbox providers, within `max`. `others`: all domains that are of none of them; a domain that a provider hosts counts as `others`.',
  );

const dayBody = z.object({
  max: z.int().min(1).max(mailsMax).describe('How many emails may leave on this day.'),
  perProvider: perProvider.optional(),
});

export const warmUpBody = z
  .object({
    startsAt: z.iso
      .datetime({ offset: true })
      .optional()
      .describe(
        'The UTC day of this instant is the first. Default: now. An earlier day says that the domain began to warm up elsewhere; with another instant the curve starts over from there.',
      ),
    days: z
      .array(dayBody)
      .min(1)
      .max(daysMax)
      .optional()
      .describe(
        `One entry per UTC day. Default: ${defaultCurve.length} days from ${defaultCurve[0]?.max} to ${defaultCurve.at(-1)?.max}.`,
      ),
    held: z
      .boolean()
      .optional()
      .describe(
        'Whether the curve stands still: each day has the number of today until it continues.',
      ),
  })
  .meta({
    examples: [
      {},
      { days: [{ max: 50 }, { max: 100 }, { max: 500, perProvider: { gmail: 200 } }] },
      { held: true },
    ],
  });

const dayShape = z.object({ max: number, perProvider: perProvider.nullable() });

export const warmUpSchema = z
  .object({
    domain: z.string(),
    state: z
      .enum(['off', 'scheduled', 'running', 'held', 'finished'])
      .describe(
        '`off`: it has none. `finished`: its last day is over, and nothing limits the domain any more.',
      ),
    used: z.boolean().describe('Whether the app sends from this domain now.'),
    startsAt: instantSchema.nullable(),
    endsAt: instantSchema
      .nullable()
      .describe('The first day without a limit. `null` while it is held.'),
    days: z.array(dayShape).describe('While it is off, what it would begin with.'),
    held: z.boolean(),
    today: z
      .object({
        day: z
          .int()
          .min(1)
          .describe(
            'Place in `days`, from 1. It repeats while held, and after a campaign was paused by its guard.',
          ),
        max: number,
        perProvider: perProvider.nullable(),
        sent: number.describe(
          'Emails that have begun on this UTC day, transactional ones included. They never wait, so it may be above `max`.',
        ),
        sentByProvider: z
          .partialRecord(z.enum(mailboxGroups), number)
          .describe('Counted on days with `perProvider`.'),
        unknown: z
          .boolean()
          .describe(
            'A backup was restored today, so nobody knows how many have left: campaigns wait for tomorrow.',
          ),
      })
      .nullable()
      .describe('`null` before the first day and after the last.'),
    etag: etagSchema.nullable(),
    createdAt: instantSchema.nullable(),
    updatedAt: instantSchema.nullable(),
  })
  .meta({
    id: 'WarmUp',
    examples: [
      {
        domain: 'acme.example',
        state: 'running',
        used: true,
        startsAt: exampleInstant(),
        endsAt: exampleInstant(3 * 86_400),
        days: [
          { max: 50, perProvider: null },
          { max: 100, perProvider: null },
          { max: 500, perProvider: { gmail: 200 } },
        ],
        held: false,
        today: {
          ...{ day: 2, max: 100, perProvider: null },
          ...{ sent: 64, sentByProvider: {}, unknown: false },
        },
        etag: exampleEtag,
        createdAt: exampleInstant(),
        updatedAt: exampleInstant(300),
      },
    ],
  });

export function warmUpInput({ startsAt, days, held }: z.output<typeof warmUpBody>): WarmUpInput {
  return present({
    startMs: startsAt === undefined ? undefined : Date.parse(startsAt),
    days: days?.map(({ max, perProvider }) => ({ max, ...present({ perProvider }) })),
    isHeld: held,
  });
}

export function warmUpView({
  domain,
  record,
  state,
  today,
  endsMs,
  isUsed,
}: WarmUpShown): z.output<typeof warmUpSchema> {
  return {
    domain,
    state,
    used: isUsed,
    startsAt: record === undefined ? null : instant(record.startMs),
    endsAt: endsMs === null ? null : instant(endsMs),
    days: (record?.days ?? defaultCurve).map(dayView),
    held: record?.isHeld === true,
    today:
      today === null
        ? null
        : {
            day: today.day,
            ...dayView(today.number),
            sent: today.mails,
            sentByProvider: Object.fromEntries(today.byProvider),
            unknown: today.isUnknown,
          },
    etag: record === undefined ? null : warmUpEtag(record),
    createdAt: record === undefined ? null : instant(record.createdMs),
    updatedAt: record === undefined ? null : instant(record.updatedMs),
  };
}

function dayView({ max, perProvider }: WarmUpDay) {
  return { max, perProvider: perProvider === undefined ? null : { ...perProvider } };
}
