// Streams what happens in an app, as server-sent events.

import { z } from 'zod';
import { fault } from '../../../actors/faults.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { key, route } from '../../call/route.ts';

/** After which the client comes back. */
const secondsMax = 900;

export const streamLive = route({
  method: 'GET',
  path: '/v1/apps/:appId/live',
  summary: 'Follow an app live',
  description:
    'Server-sent events. `campaigns`, `activity` (transactional sends), `webhook-deliveries`, `live-activities` and `integrations`: the first 50, as in their lists; `channels`: all. `campaign:<id>`: `campaign` and `stats`, `journey:<id>`: `stats`, `limits`: `limits`, `send:<id>`: `send` with its story and without its content, `webhook-delivery:<id>`: `delivery`, `person:<id>`: the first page of the timeline; each as its route returns it, with the errors of that route. `newest-event`: the `seq` of the newest event, which also counts receipts; 0 without events. `events`, `events:<name>`: the newest events in `items`, oldest first, at most 50 at a time; `leftOut` counts the events in between that were skipped. The event is named for its topic; its data is one JSON object with `topic`. A topic is sent at the start and after each change, at most twice per second, with only the newest state. `gone` says that a topic does not exist any more; `reset`, that events since `Last-Event-ID` are missing. A comment keeps the connection open every 15 seconds. The stream ends after `seconds`, and immediately when the key or the session ends: connect again. A key or session may have 8 streams at once, an org 64: beyond that, 429. Counts as one call.',
  tag: 'Apps',
  access: key('read'),
  reads: [
    'campaign',
    'journey',
    'notification',
    'event',
    'live-activity',
    'webhook-delivery',
    'integration',
    'org-limits',
  ],
  endless: true,
  query: z.object({
    topics: z
      .string()
      .min(1)
      .max(4_096)
      .describe(
        'Comma-separated, at most 16: `campaigns`, `campaign:<id>`, `journey:<id>`, `activity`, `send:<id>`, `person:<id>`, `events`, `events:<name>`, `newest-event`, `webhook-deliveries`, `webhook-delivery:<id>`, `live-activities`, `integrations`, `channels`, `limits`.',
      )
      .meta({ examples: ['campaigns,limits'] }),
    seconds: z.coerce
      .number()
      .int()
      .min(1)
      .max(secondsMax)
      .default(secondsMax)
      .describe('How long it lasts at most.'),
  }),
  requestHeaders: {
    'last-event-id': 'The `id` of the newest event that you have; browsers send it automatically.',
  },
  responses: {
    200: { description: 'Events, for as long as you read.', contentType: 'text/event-stream' },
  },
  async handle(call) {
    const { edge, grant } = call;
    const { topics, seconds } = call.query;
    if (edge.openLive === undefined || grant === undefined)
      throw new FaultError(fault('not_configured', 'this server has no live streams'));
    const stream = await edge.openLive({
      grant,
      appId: call.param('appId'),
      topics,
      lastsMs: seconds * 1000,
      afterSeq: seqIn(call.header('last-event-id')),
    });
    return {
      status: 200,
      stream,
      headers: [
        ['content-type', 'text/event-stream; charset=utf-8'],
        ['cache-control', 'no-store'],
        ['x-accel-buffering', 'no'], // proxies that gather answers would hold it back
      ],
    };
  },
});

function seqIn(lastEventId: string | undefined): number | undefined {
  return /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : undefined;
}
