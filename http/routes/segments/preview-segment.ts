// Counts the people who match an unsaved filter, and shows some of them.

import { z } from 'zod';
import type { SegmentsProtocol } from '../../../actors/audiences/segments/protocol.ts';
import { limits } from '../../../actors/limits.ts';
import { key, route } from '../../call/route.ts';
import { channelSchema } from '../../call/schemas/schemas.ts';
import { shownSubscriberView, subscriberSchema } from '../audience/subscriber-view.ts';
import { countSchema, filterSchema } from './segment-shape.ts';

export const previewSegment = route({
  method: 'POST',
  path: '/v1/apps/:appId/segments/preview',
  summary: 'Preview a segment filter',
  description: 'An exact live count, including everything acknowledged before the request.',
  tag: 'Segments',
  access: key('read'),
  reads: ['subscriber', 'device', 'event'],
  body: z
    .object({
      filter: filterSchema,
      sample: z
        .int()
        .min(0)
        .max(limits.previewSampleMax)
        .default(0)
        .describe('How many of the matching people to return.'),
      parts: z.boolean().default(false).describe('Also count each part of the filter.'),
      reach: z.boolean().default(false).describe('Also count who can be reached, by channel.'),
    })
    .meta({
      examples: [
        { filter: { activeWithinDays: 7 }, sample: 2 },
        {
          filter: { all: [{ activeWithinDays: 7 }, { tag: 'plan', eq: 'pro' }] },
          parts: true,
          reach: true,
        },
      ],
    }),
  responses: {
    200: {
      description: 'The count, and some of the matching people.',
      schema: countSchema
        .extend({
          sample: z.array(subscriberSchema),
          parts: z
            .array(
              z.object({
                path: z.string(),
                count: z.int().describe('People who match this part alone.'),
                left: z
                  .int()
                  .nullable()
                  .describe(
                    'In an `all` group, people who match this member and those before it; otherwise `null`.',
                  ),
              }),
            )
            .optional()
            .describe('The filter, its groups and conditions in order, if `parts` was sent.'),
          reach: z
            .array(z.object({ channel: channelSchema, reachable: z.int() }))
            .optional()
            .describe(
              'Of the matching people, those with an enabled device on the channel that has not opted out, if `reach` was sent.',
            ),
        })
        .meta({
          examples: [
            { count: 31, total: 420, tookMs: 0.8, sample: [] },
            {
              count: 31,
              total: 420,
              tookMs: 1.2,
              sample: [],
              parts: [
                { path: 'filter', count: 31, left: null },
                { path: 'filter.all[0]', count: 240, left: 240 },
                { path: 'filter.all[1]', count: 57, left: 31 },
              ],
              reach: [{ channel: 'email', reachable: 29 }],
            },
          ],
        }),
    },
  },
  async handle(call) {
    const { filter, sample, parts, reach } = call.body;
    const startedMs = call.edge.clock.monotonic();
    const asked = { filter };
    const found = await call.to<SegmentsProtocol>(call.app()).ask('segment.preview', {
      asked,
      sample,
      ...(parts && { parts }),
      ...(reach && { reach }),
    });
    const tookMs = Math.round((call.edge.clock.monotonic() - startedMs) * 100) / 100;
    const { count, total, sample: people, ...more } = found;
    return {
      status: 200,
      body: { count, total, tookMs, sample: people.map(shownSubscriberView), ...more },
    };
  },
});
