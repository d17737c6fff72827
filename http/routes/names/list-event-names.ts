// Lists the event names that an app has seen.

import { originOfEvent } from '../../../actors/events/ingest/names.ts';
import { key, route } from '../../call/route.ts';
import { eventNamesPage, namesQuery, pageOfNames } from './name-shape.ts';

export const listEventNames = route({
  method: 'GET',
  path: '/v1/apps/:appId/event-names',
  summary: 'List event names',
  description:
    'The names of events that clients or servers have sent, in alphabetical order. An app has at most 20,000. At most 1,000 of them may be unvouched: beyond that, names that few people sent or that were unused the longest are removed.',
  tag: 'Events',
  access: key('read'),
  reads: ['event-name'],
  lane: 'standard',
  query: namesQuery,
  responses: { 200: { description: 'A page of names.', schema: eventNamesPage } },
  refusals: [404],
  async handle(call) {
    const { items, nextCursor } = await pageOfNames(call, 'events');
    return {
      status: 200,
      body: {
        items: items.map((one) => ({ ...one, origin: originOfEvent(one.name) })),
        nextCursor,
      },
    };
  },
});
