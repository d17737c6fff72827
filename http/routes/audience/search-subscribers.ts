// Searches the people of an app, a page from any place on: for tables that scroll through all.

import { z } from 'zod';
import type { SearchProtocol } from '../../../actors/audiences/segments/protocol.ts';
import { limits } from '../../../actors/limits.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { exampleOf, isOneLine, segmentIdSchema } from '../../call/schemas/schemas.ts';
import { filterSchema } from '../segments/segment-shape.ts';
import { shownSubscriberView, subscriberSchema } from './subscriber-view.ts';

const searchBody = z
  .object({
    filter: filterSchema.optional(),
    segmentId: segmentIdSchema.optional().describe('Only current members of this segment.'),
    ids: z
      .array(z.string().min(1).max(64))
      .min(1)
      .max(limits.pageMax)
      .optional()
      .describe('Only these people, by subscriber id. Unknown ids are ignored.'),
    q: z
      .string()
      .trim()
      .min(1)
      .max(1_024)
      .refine(isOneLine, 'must not contain control characters')
      .optional()
      .describe(
        'The beginnings of names, in any order, without regard to case and accents: `nguyen an` finds Nguyễn Văn An. Names are the tags in `displayName` of the settings. Or the beginning of an external user id or of a subscriber id (with `sub_`), or a whole address in any form that its channel takes.',
      ),
    order: z
      .enum(['newest', 'oldest', 'lastActive'])
      .default('newest')
      .describe(
        '`newest` and `oldest` sort by time of creation; `lastActive` lists the most recently active people first, and people who were never active last.',
      ),
    offset: z
      .int()
      .min(0)
      .max(4_294_967_295)
      .default(0)
      .describe('How many people to skip. A page far down costs as much as the first.'),
    limit: z.int().min(1).max(limits.pageMax).default(limits.pageDefault),
    tags: z
      .array(z.string().normalize().min(1).max(limits.tagKeyCharsMax))
      .max(limits.searchTagsMax)
      .optional()
      .describe('Show only these tags of each person. Default: all.'),
  })
  .meta({
    examples: [
      { filter: { tag: 'plan', eq: 'pro' }, order: 'lastActive', offset: 400, tags: ['plan'] },
      { segmentId: exampleIds.segment, limit: 10 },
      { q: 'nguyen van' },
      { q: 'customer-4' },
    ],
  });

export const searchSubscribers = route({
  method: 'POST',
  path: '/v1/apps/:appId/subscribers/search',
  summary: 'Search subscribers',
  description:
    'A page of the people who match, from any offset, with the exact total. If people are added, removed or changed between two calls, the offsets of others change: to read each person once, page through `GET /v1/apps/:appId/subscribers` with its cursor.',
  tag: 'Subscribers',
  access: key('read'),
  reads: ['subscriber', 'device', 'suppression', 'event'],
  body: searchBody,
  optionalBody: true,
  responses: {
    200: {
      description: 'A page of people.',
      schema: z
        .object({
          items: z.array(subscriberSchema),
          total: z.int().describe('People who match.'),
          tookMs: z.number().describe('Milliseconds the search took on the server.'),
        })
        .meta({ examples: [{ items: [exampleOf(subscriberSchema)], total: 1, tookMs: 1.4 }] }),
    },
  },
  async handle(call) {
    const { filter, segmentId, ...rest } = call.body;
    if (filter !== undefined && segmentId !== undefined)
      throw new FaultError(fieldFault('segmentId', 'cannot be combined with filter'));
    const asked = filter ? { filter } : segmentId ? { segmentId } : undefined;
    const startedMs = call.edge.clock.monotonic();
    const { items, total } = await call
      .to<SearchProtocol>(call.app())
      .ask('people.search', present({ ...rest, asked }));
    const tookMs = Math.round((call.edge.clock.monotonic() - startedMs) * 100) / 100;
    return { status: 200, body: { items: items.map(shownSubscriberView), total, tookMs } };
  },
});
