// Erases a person and all their data.

import type { ErasureProtocol } from '../../../actors/runtime/erasure-protocol.ts';
import { key, route } from '../../call/route.ts';
import { personNamed } from '../person-named.ts';
import { personParam } from './subscriber-view.ts';

export const deleteSubscriber = route({
  method: 'DELETE',
  path: '/v1/apps/:appId/subscribers/:id',
  summary: 'Erase a subscriber',
  description:
    "Erases all of the person's data, events included. Cannot be undone. Opt-outs of their addresses are kept.",
  tag: 'Subscribers',
  access: key('write'),
  changes: [
    'subscriber',
    'device',
    'tag-name',
    'event',
    'notification',
    'suppression',
    'dead-letter',
    'live-activity',
    'dry-run',
  ],
  lane: 'standard',
  edits: 'subscriber.erase',
  params: { id: personParam },
  responses: { 204: { description: 'Erased.' } },
  refusals: [404],
  async handle(call) {
    await call
      .to<ErasureProtocol>(call.app())
      .ask('subscriber.erase', { ref: personNamed(call.param('id')) });
    return { status: 204 };
  },
});
