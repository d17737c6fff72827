// The wire shape of an in-app message: a saved message, its schedule and its audience. Source:
// contract, section 9.

import { z } from 'zod';
import { inAppEtag } from '../../../actors/audiences/inapp/in-app-etag.ts';
import {
  type InAppDisplay,
  type InAppInput,
  type InAppView,
  inAppKinds,
  inAppPositions,
  inAppShows,
} from '../../../actors/audiences/inapp/protocol.ts';
import { integerRange } from '../../../actors/integer-range.ts';
import { limits } from '../../../actors/limits.ts';
import { present } from '../../call/answer/present.ts';
import { exampleEtag, exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import { etagSchema, instant, instantSchema, instantText } from '../../call/schemas/schemas.ts';
import { templateFields } from '../message-templates/named-template.ts';
import { filterSchema } from '../segments/segment-shape.ts';

const messageId = z.string().min(1).max(64).describe('The saved message to show. It needs a body.');

const where = z
  .record(z.string().min(1).max(128), z.union([z.string().max(256), z.number(), z.boolean()]))
  .refine(
    (values) => Object.keys(values).length <= limits.inAppWhereMax,
    `expected at most ${limits.inAppWhereMax} values`,
  );

export const inAppDisplaySchema = z
  .object({
    kind: z
      .enum(inAppKinds)
      .describe(
        '`modal` interrupts, `banner` and `card` do not, `push-prompt` asks whether the browser may ask for push permission. `none`: the app shows it in its own way.',
      ),
    position: z
      .enum(inAppPositions)
      .optional()
      .describe('Where a banner or a card is shown. Default `bottom`.'),
    trigger: z
      .union([
        z.strictObject({
          event: z.string().min(1).max(128).describe('Shown after the person did this.'),
          where: where.optional().describe("Values that the event's props must have."),
        }),
        z.strictObject({
          afterSeconds: integerRange(0, limits.inAppAfterSecondsMax).describe(
            'Seconds after the page was opened.',
          ),
        }),
      ])
      .optional()
      .describe('When it is shown. At once if omitted.'),
    maxShows: integerRange(1, limits.inAppShowsMax)
      .optional()
      .describe('How often it is shown on one device. Until it is dismissed if omitted.'),
    everyHours: integerRange(0, limits.inAppEveryHoursMax)
      .optional()
      .describe('The hours between two times that it is shown on one device.'),
    dismissible: z.boolean().optional().describe('Whether it can be closed. Default `true`.'),
  })
  .meta({ id: 'InAppDisplay' });

const members = {
  display: inAppDisplaySchema
    .nullish()
    .describe('How the web SDK shows it automatically. A modal that is shown at once if omitted.'),
  filter: filterSchema.nullish().describe('Shown only to people who match when the feed is read.'),
  startAt: instantText.nullish().describe('Not shown before this time; immediately if omitted.'),
  endAt: instantText.nullish().describe('Not shown from this time on; never expires if omitted.'),
  priority: integerRange(0, limits.inAppPriorityMax)
    .optional()
    .describe('Higher priorities are shown first. Default 0.'),
  inbox: z
    .boolean()
    .optional()
    .describe(
      'Also kept in the inbox until `endAt` or until the person archives it, whether read or dismissed. `true` is `show: "both"`, `false` is `show: "popup"`; give one of the two fields.',
    ),
  show: z
    .enum(inAppShows)
    .optional()
    .describe(
      'Where people see it: in `messages` of the feed, in the inbox only, or in both. Default `popup`.',
    ),
};

const example = {
  messageId: exampleIds.message,
  filter: { activeWithinDays: 7 },
  startAt: exampleInstant(),
  endAt: exampleInstant(7 * 86_400),
  priority: 10,
  show: 'inbox' as const,
  display: { kind: 'banner' as const, position: 'top' as const, maxShows: 3, everyHours: 24 },
};

const { startAt: _start, endAt: _end, ...exampleAtOnce } = example;

export const inAppBody = z
  .object({
    messageId: messageId
      .nullish()
      .describe(
        'The saved message to show. It needs a body. Give this, or a template by `templateName` or `templateId`.',
      ),
    templateName: templateFields.templateName.describe(
      'Shows a new message, which is made from this template. Also needs the scope `read`.',
    ),
    templateId: templateFields.templateId,
    ...members,
  })
  .meta({ examples: [exampleAtOnce, example] });

export const inAppPatch = z
  .object({ messageId: messageId.optional(), ...members })
  .meta({ examples: [{ endAt: exampleInstant(3 * 86_400) }] });

export const inAppSchema = z
  .object({
    id: z.string().describe('The id that apps send as `messageId` in events.'),
    messageId: z.string(),
    filter: filterSchema.nullable(),
    startAt: instantSchema.nullable(),
    endAt: instantSchema.nullable(),
    priority: z.int(),
    inbox: z.boolean(),
    show: z.enum(inAppShows),
    display: inAppDisplaySchema.nullable(),
    counts: z
      .object({
        viewed: z.int(),
        clicked: z.int(),
        dismissed: z.int(),
        read: z.int(),
        archived: z.int(),
      })
      .describe('Counts of unique people, from the events that apps track.'),
    etag: etagSchema,
    createdAt: instantSchema,
    updatedAt: instantSchema,
  })
  .meta({
    id: 'InAppMessage',
    examples: [
      {
        id: exampleIds.inApp,
        ...example,
        inbox: true,
        counts: { viewed: 120, clicked: 14, dismissed: 60, read: 31, archived: 9 },
        etag: exampleEtag,
        createdAt: exampleInstant(),
        updatedAt: exampleInstant(),
      },
    ],
  });

/** A body in the actor's form; `null` stays and removes a field. */
export function inAppInput<Body extends z.output<typeof inAppPatch>>(
  body: Body,
): InAppInput & Pick<Body, 'messageId'> {
  const { messageId, filter, startAt, endAt, priority, inbox, show } = body;
  const display = body.display == null ? body.display : plainDisplay(body.display);
  const [startMs, endMs] = [millisOf(startAt), millisOf(endAt)];
  return present({ messageId, filter, startMs, endMs, priority, inbox, show, display });
}

/** Without members that are undefined. */
function plainDisplay(display: z.output<typeof inAppDisplaySchema>): InAppDisplay {
  const { trigger } = display;
  return present({
    ...display,
    trigger: trigger === undefined ? undefined : present(trigger),
  }) as InAppDisplay;
}

function millisOf(text: string | null | undefined): number | null | undefined {
  return text == null ? text : Date.parse(text);
}

export function inAppView(message: InAppView) {
  const { id, messageId, filter, startMs, endMs, ...rest } = message;
  const { priority, inbox, isQuiet, display, counts, createdMs, updatedMs } = rest;
  return {
    id,
    messageId,
    filter: (filter ?? null) as Record<string, unknown> | null,
    startAt: startMs === undefined ? null : instant(startMs),
    endAt: endMs === undefined ? null : instant(endMs),
    priority,
    inbox,
    show: inbox ? (isQuiet ? ('inbox' as const) : ('both' as const)) : ('popup' as const),
    display: display ?? null,
    counts,
    etag: inAppEtag(message),
    createdAt: instant(createdMs),
    updatedAt: instant(updatedMs),
  };
}
