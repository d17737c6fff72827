// Deletes a picture. Messages that show it keep their link, which is a 404 from now on.

import type { AssetsProtocol } from '../../../actors/content/assets/protocol.ts';
import { key, route } from '../../call/route.ts';

export const deleteAsset = route({
  method: 'DELETE',
  path: '/v1/apps/:appId/assets/:id',
  summary: 'Delete an image',
  description:
    'Its public address returns a 404 from then on, also in messages that were sent. Email clients and proxies may keep copies.',
  tag: 'Assets',
  access: key('write'),
  changes: ['asset'],
  lane: 'standard',
  edits: 'asset.delete',
  params: { id: 'Asset id.' },
  responses: { 204: { description: 'Deleted.' } },
  refusals: [404],
  async handle(call) {
    await call.to<AssetsProtocol>(call.app()).ask('asset.delete', { id: call.param('id') });
    return { status: 204 };
  },
});
