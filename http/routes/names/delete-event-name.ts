// Drops an event name that the app no longer wants to filter by.

import type { NamesProtocol } from '../../../actors/audiences/segments/protocol.ts';
import { key, route } from '../../call/route.ts';

export const deleteEventName = route({
  method: 'DELETE',
  path: '/v1/apps/:appId/event-names/:name',
  summary: 'Delete an event name',
  description:
    'Frees the name. Stored events stay and can still be listed, but filters no longer find who sent them. The name comes back with the next event of that name. If a filter or a live journey uses it, the response is a 409 that names what uses it.',
  tag: 'Events',
  access: key('write'),
  changes: ['event-name'],
  lane: 'standard',
  params: { name: 'Event name.' },
  responses: { 204: { description: 'Deleted.' } },
  refusals: [404, 409],
  async handle(call) {
    await call.to<NamesProtocol>(call.app()).ask('names.drop_event', { name: call.param('name') });
    return { status: 204 };
  },
});
