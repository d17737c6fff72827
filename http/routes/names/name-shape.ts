// The wire shape of the lists of event names and tag names.

import { z } from 'zod';
import type { NamesProtocol } from '../../../actors/audiences/segments/protocol.ts';
import type { ReplyOf } from '../../../engine/actor/protocol.ts';
import type { Call } from '../../call.ts';
import { notACursor } from '../../page.ts';
import { pageQuery, pageWithExample } from '../../schemas.ts';

const nameSchema = z
  .object({
    name: z.string(),
    vouched: z
      .boolean()
      .describe('False if only clients without an API key have used it, and no filter or journey.'),
    usedBy: z.string().nullable().describe('A filter or live journey that uses it.'),
  })
  .meta({
    id: 'UsedName',
    examples: [{ name: 'purchase', vouched: true, usedBy: 'the segment "Buyers"' }],
  });

export const namesPage = pageWithExample(nameSchema);
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
