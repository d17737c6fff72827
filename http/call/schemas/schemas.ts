// Small wire shapes that routes share: names, instants, time zones, channels, pages and errors. A
// `meta` id makes a shape a component of the description. Bodies never refuse unknown fields:
// `unknown-members.ts` names them.

import { z } from 'zod';
import { channelIds, channelLabels } from '../../../actors/channels/channel-ids.ts';
import { limits } from '../../../actors/limits.ts';
import { AssertionFailed } from '../../../engine/base/assert.ts';

/** RFC 3339, UTC, milliseconds. */
export const instantSchema = z.iso.datetime();

export const etagSchema = z
  .string()
  .describe(
    'The version, as the header `ETag` has it in quotes. Send it as `If-Match: "…"` with a change: if someone changed the object since, the change is a 412 and nothing is overwritten.',
  );

/** With any offset, as text: a transforming schema loses its examples in the description. */
export const instantText = z.iso.datetime({
  offset: true,
  error: 'expected an RFC 3339 date-time, such as 2026-09-21T14:13:20Z',
});

/** In a query; becomes milliseconds since the epoch. */
export const instantInput = instantText.transform((text) => Date.parse(text));

/** For people: 1 to 256 characters once trimmed, no control characters. */
export const nameSchema = z
  .string()
  .trim()
  .min(1)
  .max(limits.nameCharsMax)
  .refine(isOneLine, 'must not contain control characters');

export const channelSchema = z.enum(channelIds).meta({
  id: 'Channel',
  description: channelIds.map((id) => `\`${id}\`: ${channelLabels[id]}`).join(', '),
});

/** No repetition; at least one. */
export const channelsSchema = z
  .array(channelSchema)
  .min(1, 'expected at least one channel')
  .max(channelIds.length * 4)
  .overwrite((channels) => [...new Set(channels)]);

export const segmentIdSchema = z.string().regex(/^seg_[0-9a-z]{26}$/, {
  error: 'expected a segment id: seg_ and 26 characters',
});

export const externalUserIdSchema = z
  .string()
  .min(1)
  .max(limits.externalUserIdCharsMax)
  .refine(isOneLine, 'must not contain control characters')
  .describe('Your own user id, compared byte for byte.')
  .meta({ examples: ['customer-42'] });

export const zoneSchema = z
  .string()
  .refine(isTimeZone, 'is not a time zone; expected an IANA name, such as Asia/Bangkok')
  .overwrite(canonicalZone)
  .describe('IANA time zone.')
  .meta({ examples: ['Asia/Bangkok'] });

export const pageQuery = {
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(limits.pageMax)
    .default(limits.pageDefault)
    .describe('Items per page.'),
  cursor: z
    .string()
    .min(1)
    .max(1024)
    .optional()
    .describe('The `nextCursor` of the previous page; omit it for the first page.'),
};

/** In the query of a list by time. */
export const orderedQuery = {
  order: z
    .enum(['newest', 'oldest'])
    .default('newest')
    .describe('By time of creation. Send the same `order` with a `cursor`.'),
  ...pageQuery,
};

/** In the query of a list of things with names. */
export const listQuery = {
  ...orderedQuery,
  q: z
    .string()
    .trim()
    .min(1)
    .max(limits.nameCharsMax)
    .optional()
    .describe('Only items whose name contains this text, in any case.'),
};

export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    nextCursor: z
      .string()
      .nullable()
      .describe('Pass it as `cursor` to get the next page; `null` on the last page.'),
  });
}

export const errorSchema = z
  .object({
    error: z
      .string()
      .describe('A message that says what to fix; starts with the field name if there is one.'),
    code: z.string().describe('A stable error code.'),
    field: z
      .string()
      .optional()
      .describe('The field that is wrong, such as `devices[1].endpoint`.'),
    issues: z
      .array(z.object({ field: z.string(), error: z.string() }))
      .optional()
      .describe('All problems, if there is more than one.'),
    change: z
      .object({
        by: z.string().nullable().describe('Id of an API key or member, or `operator`.'),
        byName: z.string().nullable().describe("The key's name or the member's address."),
        at: instantSchema.nullable(),
        etag: z
          .string()
          .nullable()
          .describe('The version that is newest now; `null` if the object is gone.'),
      })
      .optional()
      .describe('With a 412: the change that this call has not seen. `null` if not known.'),
  })
  .meta({
    id: 'Error',
    examples: [
      {
        error: 'body: undefined variable: order_id',
        code: 'invalid',
        field: 'body',
      },
    ],
  });

/** Whether a text has no control character and fits on one line. */
export function isOneLine(text: string): boolean {
  return !/[\p{Cc}\u2028\u2029]/u.test(text);
}

// A formatter takes about 30 µs, and an app's people live in few zones. Bounded, since callers
// choose the names.
const zonesKept = new Map<string, string | undefined>();
const zonesKeptMax = 1_000;

/** Whether this build of ICU knows the IANA time zone. Offsets such as `+07:00` are none. */
export function isTimeZone(text: string): boolean {
  return zoneNamed(text) !== undefined;
}

/** As IANA spells it: `asia/saigon` is `Asia/Saigon`. ICU's other names and invalid zones stay. */
export function canonicalZone(text: string): string {
  return zoneNamed(text) ?? text;
}

function zoneNamed(text: string): string | undefined {
  if (text.length > 64 || !/^[A-Za-z]/.test(text)) return undefined;
  if (zonesKept.has(text)) return zonesKept.get(text);
  let zone: string | undefined;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions();
    zone = timeZone.toLowerCase() === text.toLowerCase() ? timeZone : text;
  } catch {
    // An unknown zone throws a RangeError.
  }
  if (zonesKept.size >= zonesKeptMax) zonesKept.clear();
  zonesKept.set(text, zone);
  return zone;
}

export function exampleOf<Schema extends z.ZodType>(schema: Schema): z.output<Schema> {
  const examples = schema.meta()?.['examples'] as readonly z.output<Schema>[] | undefined;
  if (examples?.[0] === undefined) throw new AssertionFailed('a schema without an example');
  return examples[0];
}

export function pageWithExample<Item extends z.ZodType>(item: Item) {
  return pageSchema(item).meta({ examples: [{ items: [exampleOf(item)], nextCursor: null }] });
}

/** A page of a list that says how many items there are. */
export function countedPage<Item extends z.ZodType>(item: Item, example = exampleOf(item)) {
  const total = z
    .int()
    .min(0)
    .nullable()
    .describe('Number of items on all pages; `null` if a search would have to read them all.');
  return pageSchema(item)
    .extend({ total })
    .meta({ examples: [{ items: [example], nextCursor: null, total: 1 }] });
}

/** A known field that is refused here, with the place where it belongs. */
export function belongsElsewhere(where: string) {
  return z
    .unknown()
    .refine((value) => value == null, where)
    .optional()
    .describe(`${refusedWords}: ${where}.`);
}

/** How the description of a field begins that is known and refused. */
export const refusedWords = 'Not accepted';

/** RFC 3339, UTC, milliseconds. */
export function instant(ms: number): string {
  return new Date(ms).toISOString();
}
