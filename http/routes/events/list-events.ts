// Reads an app's events back, newest first.

import { z } from 'zod';
import {
  referenceCharsMax,
  storedEventSchema,
} from '../../../actors/events/ingest/event-schema.ts';
import type { EventsProtocol, EventView } from '../../../actors/events/protocol.ts';
import { placeOfCursor } from '../../../actors/list-cursor.ts';
import type { AudienceProtocol } from '../../../actors/people/audience/protocol.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { notACursor } from '../../call/answer/page.ts';
import { present } from '../../call/answer/present.ts';
import type { Call } from '../../call/call.ts';
import { key, route } from '../../call/route.ts';
import { eventNameSchema } from '../../call/schemas/event-name.ts';
import { exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import { instant, instantInput, pageQuery, pageWithExample } from '../../call/schemas/schemas.ts';
import { ofPersonNamed } from '../audience/subscriber-view.ts';
import { personNamed } from '../person-named.ts';

const eventSchema = storedEventSchema.meta({
  id: 'Event',
  examples: [
    {
      id: exampleIds.event,
      seq: 4_711,
      name: 'purchase',
      subscriberId: exampleIds.subscriber,
      externalUserId: 'customer-42',
      deviceId: null,
      channel: null,
      sendId: null,
      campaignId: null,
      messageId: null,
      journeyId: null,
      at: exampleInstant(),
      receivedAt: exampleInstant(1),
      props: { total: 42.5, currency: 'EUR' },
      meta: {},
    },
  ],
});

const reference = z.string().min(1).max(referenceCharsMax).optional();

const references = {
  campaignId: reference.describe('Only events that name this campaign.'),
  journeyId: reference.describe('Only events that name this journey.'),
  sendId: reference.describe('Only events that name this send.'),
};

export const listEvents = route({
  method: 'GET',
  path: '/v1/apps/:appId/events',
  summary: 'List events',
  description:
    'Tracked events and events the service recorded itself, newest first. A page may have fewer than `limit` while there are more: follow `nextCursor`. Name a person, an event or a time to find events far back sooner. An id of a campaign, journey or send may be of one that was deleted: then the list is what is stored, or empty.',
  tag: 'Events',
  access: key('read'),
  reads: ['event'],
  query: z.object({
    subscriberId: z
      .string()
      .min(1)
      .max(512)
      .optional()
      .describe(
        'Only events of this person: a subscriber id, or `external:` followed by your own user id.',
      ),
    name: eventNameSchema.optional(),
    ...references,
    from: instantInput.optional().describe('Only events at or after this time.'),
    to: instantInput.optional().describe('Only events before this time.'),
    ...pageQuery,
  }),
  responses: { 200: { description: 'A page of events.', schema: pageWithExample(eventSchema) } },
  async handle(call) {
    const app = call.app();
    const { name, from, to, limit, cursor, journeyId, campaignId, sendId } = call.query;
    const of = present({ journeyId, campaignId, sendId });
    const query = present({
      subscriberId: await subscriberIdOf(call, app, call.query.subscriberId),
      name,
      of: Object.keys(of).length === 0 ? undefined : of,
      fromMs: from,
      toMs: to,
      limit,
      beforeSeq: cursor === undefined ? undefined : seqOf(app, cursor),
    });
    const { items, nextCursor } = await call.to<EventsProtocol>(app).ask('events.list', { query });
    return { status: 200, body: { items: items.map(eventView), nextCursor } };
  },
});

async function subscriberIdOf(
  call: Call<unknown, unknown>,
  app: Ordinal,
  named: string | undefined,
): Promise<string | undefined> {
  if (named === undefined) return undefined;
  const ref = personNamed(named);
  if ('id' in ref) return ref.id;
  const asking = call.to<AudienceProtocol>(app).ask('subscriber.read', { ref });
  return (await ofPersonNamed(asking, named)).id;
}

function seqOf(app: Ordinal, cursor: string): number {
  const seq = placeOfCursor('events', app, cursor);
  if (seq === undefined) throw notACursor();
  return seq;
}

export function eventView({ atMs, receivedMs, props, meta, ...event }: EventView) {
  const { id, seq, name, subscriberId, externalUserId, deviceId, channel } = event;
  const { sendId, campaignId, messageId, journeyId } = event;
  return {
    id,
    seq,
    name,
    subscriberId,
    externalUserId,
    deviceId,
    channel,
    sendId,
    campaignId,
    messageId,
    journeyId,
    at: instant(atMs),
    receivedAt: instant(receivedMs),
    props: props ?? {},
    meta: meta ?? {},
  };
}
