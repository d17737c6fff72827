// Removes a tag from everybody, some people at a time. A call that is cut off leaves the rest, and
// can be repeated.

import type { NamesProtocol } from '../../../actors/audiences/segments/protocol.ts';
import { key, route } from '../../call/route.ts';

export const deleteTagName = route({
  method: 'DELETE',
  path: '/v1/apps/:appId/tag-names/:name',
  summary: 'Delete a tag name',
  description:
    'Removes the tag from every subscriber and frees its name. Takes about a second per 20,000 people; a request that was cut off can be repeated. If a filter uses the tag, the response is a 409 that names what uses it.',
  tag: 'Subscribers',
  access: key('write'),
  changes: ['tag-name', 'subscriber'],
  lane: 'standard',
  params: { name: 'Tag name.' },
  responses: { 204: { description: 'Deleted.' } },
  refusals: [404, 409],
  async handle(call) {
    const app = call.to<NamesProtocol>(call.app());
    const name = call.param('name');
    for (let isDone = false; !isDone; )
      ({ isDone } = await app.ask('names.drop_tag', { name }, { lane: 'bulk' }));
    return { status: 204 };
  },
});
