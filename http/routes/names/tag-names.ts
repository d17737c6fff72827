// The names of tags that people of an app have.

import type { NamesProtocol } from '../../../actors/audiences/segments/protocol.ts';
import { key, route } from '../../call/route.ts';
import { namesQuery, pageOfNames, tagNamesPage } from './name-shape.ts';

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
