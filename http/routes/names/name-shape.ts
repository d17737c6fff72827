// The wire shape of the lists of event names and tag names.

import { z } from 'zod';
import type { NamesProtocol } from '../../../actors/audiences/segments/protocol.ts';
import { eventOrigins } from '../../../actors/events/ingest/names.ts';
import type { ReplyOf } from '../../../engine/actor/protocol.ts';
import { notACursor } from '../../call/answer/page.ts';
import type { Call } from '../../call/call.ts';
import { pageQuery, pageWithExample } from '../../call/schemas/schemas.ts';

export const originSchema = z
  .enum(eventOrigins)
  .describe(
    "`app`: the app's own event. `engage`: one about Engage's messages and journeys, such as `delivered`, `opened` or `journey_enrolled`.",
  );

const usedName = z.object({
  name: z.string(),
  vouched: z
    .boolean()
    .describe('False if only clients without an API key have used it, and no filter or journey.'),
  usedBy: z.string().nullable().describe('A filter or live journey that uses it.'),
});
const example = { name: 'purchase', vouched: true, usedBy: 'the segment "Buyers"' };

export const tagNamesPage = pageWithExample(
  usedName.meta({
    id: 'UsedName',
    examples: [{ ...example, name: 'plan', usedBy: 'the segment "Pro"' }],
  }),
);
export const eventNamesPage = pageWithExample(
  usedName
    .extend({ origin: originSchema })
    .meta({ id: 'UsedEventName', examples: [{ ...example, origin: 'app' }] }),
);
export const namesQuery = z.object(pageQuery);

/** Names are any text, so the cursor is encoded. */
export async function pageOfNames(
  call: Call<z.output<typeof namesQuery>>,
  of: 'events' | 'tags',
): Promise<ReplyOf<NamesProtocol, 'names.list'>> {
  const { limit, cursor } = call.query;
  const { items, nextCursor } = await call.to<NamesProtocol>(call.app()).ask('names.list', {
    of,
    limit,
    ...(cursor === undefined ? {} : { after: opened(cursor) }),
  });
  return {
    items,
    nextCursor: nextCursor === null ? null : Buffer.from(nextCursor).toString('base64url'),
  };
}

function opened(cursor: string): string {
  const name = Buffer.from(cursor, 'base64url').toString();
  if (Buffer.from(name).toString('base64url') !== cursor) throw notACursor();
  return name;
}
