// The names of events and of tags that an app has seen.

import type { NamesProtocol } from '../../../actors/audiences/segments/protocol.ts';
import { originOfEvent } from '../../../actors/events/ingest/names.ts';
import { key, route } from '../../call/route.ts';
import { eventNamesPage, namesQuery, pageOfNames, tagNamesPage } from './name-shape.ts';

export const listEventNames = route({
  method: 'GET',
  path: '/v1/apps/:appId/event-names',
  summary: 'List event names',
  description:
    'The names of events that clients or servers have sent, in alphabetical order. An app has at most 20,000. At most 1,000 of them may be unvouched: beyond that, names that few people sent or that were unused the longest are removed.',
  tag: 'Events',
  access: key('read'),
  reads: ['event-name'],
  query: namesQuery,
  responses: { 200: { description: 'A page of names.', schema: eventNamesPage } },
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

export const deleteEventName = route({
  method: 'DELETE',
  path: '/v1/apps/:appId/event-names/:name',
  summary: 'Delete an event name',
  description:
    'Frees the name. Stored events stay and can still be listed, but filters no longer find who sent them. The name comes back with the next event of that name. If a filter or a live journey uses it, the response is a 409 that names what uses it.',
  tag: 'Events',
  access: key('write'),
  changes: ['event-name'],
  params: { name: 'Event name.' },
  responses: { 204: { description: 'Deleted.' } },
  refusals: [409],
  async handle(call) {
    await call.to<NamesProtocol>(call.app()).ask('names.drop_event', { name: call.param('name') });
    return { status: 204 };
  },
});

export const listTagNames = route({
  method: 'GET',
  path: '/v1/apps/:appId/tag-names',
  summary: 'List tag names',
  description:
    'The names of tags, in alphabetical order. An app has at most 20,000. At most 1,000 of them may be unvouched: beyond that, clients need an API key to add another one.',
  tag: 'Subscribers',
  access: key('read'),
  reads: ['tag-name'],
  query: namesQuery,
  responses: { 200: { description: 'A page of names.', schema: tagNamesPage } },
  async handle(call) {
    return { status: 200, body: await pageOfNames(call, 'tags') };
  },
});

/**
 * Removes a tag from everybody, some people at a time. A call that is cut off leaves the rest, and
 * can be repeated.
 */
export const deleteTagName = route({
  method: 'DELETE',
  path: '/v1/apps/:appId/tag-names/:name',
  summary: 'Delete a tag name',
  description:
    'Removes the tag from every subscriber and frees its name. Takes about a second per 20,000 people; a request that was cut off can be repeated. If a filter uses the tag, the response is a 409 that names what uses it.',
  tag: 'Subscribers',
  access: key('write'),
  changes: ['tag-name', 'subscriber'],
  params: { name: 'Tag name.' },
  responses: { 204: { description: 'Deleted.' } },
  refusals: [409],
  async handle(call) {
    const app = call.to<NamesProtocol>(call.app());
    const name = call.param('name');
    for (let isDone = false; !isDone; )
      ({ isDone } = await app.ask('names.drop_tag', { name }, { lane: 'bulk' }));
    return { status: 204 };
  },
});
