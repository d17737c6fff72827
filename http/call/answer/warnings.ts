// Adds to a successful answer what was dropped from the body: `warnings` in a JSON object, and
// their number in a header of every answer.

import { z } from 'zod';
import type { UnknownMember } from '../../../actors/faults.ts';
import { isObject } from '../../../actors/is-object.ts';
import type { Reply } from '../route.ts';

/** How many members of the body were ignored. */
export const warningsHeader = 'x-engage-warnings';

const warningSchema = z.object({
  field: z.string(),
  warning: z.string().describe('What happened to the field, and what you may have meant.'),
  advisory: z
    .literal(true)
    .optional()
    .describe('For a campaign: it can be sent without `confirmWarnings: true`.'),
});
type Warning = z.output<typeof warningSchema>;

/** What every answer to a JSON body may have besides its own members. */
export const warnedSchema = z
  .object({
    warnings: z
      .array(warningSchema)
      .optional()
      .describe('Fields of the body that are unknown and were ignored; absent if there are none.'),
  })
  .meta({ id: 'Warned' });

export function withWarnings(reply: Reply, unknown: readonly UnknownMember[]): Reply {
  if (unknown.length === 0) return reply;
  const headers = [...(reply.headers ?? []), [warningsHeader, String(unknown.length)] as const];
  const { body } = reply;
  if (!isObject(body)) return { ...reply, headers };
  const own = Array.isArray(body['warnings']) ? (body['warnings'] as readonly Warning[]) : [];
  const named = new Map(unknown.map(({ field, warning }) => [field, { field, warning }]));
  const kept = new Map(own.filter(({ field }) => named.has(field)).map((one) => [one.field, one]));
  const warnings = [
    ...[...named.values()].map((one) => kept.get(one.field) ?? one),
    ...own.filter(({ field }) => !named.has(field)),
  ];
  return { ...reply, headers, body: { ...body, warnings } };
}
