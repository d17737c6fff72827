// Reads how far a bulk change has come.

import type { BulkProtocol } from '../../../actors/audiences/bulk/protocol.ts';
import { limits } from '../../../actors/limits.ts';
import { key, route } from '../../call/route.ts';
import { bulkChangeSchema, bulkChangeView } from './bulk-shape.ts';

export const readBulkChange = route({
  method: 'GET',
  path: '/v1/apps/:appId/subscribers/bulk/:id',
  summary: 'Read a bulk change',
  description: `The newest ${limits.bulkChangesKept} bulk changes of an app can be read.`,
  tag: 'Subscribers',
  access: key('read'),
  reads: ['bulk-change'],
  params: { id: 'Bulk change id.' },
  responses: { 200: { description: 'The bulk change.', schema: bulkChangeSchema } },
  async handle(call) {
    const change = await call
      .to<BulkProtocol>(call.app())
      .ask('bulk.read', { id: call.param('id') });
    return { status: 200, body: bulkChangeView(change) };
  },
});
