// Lists the in-app messages of an app.

import { z } from 'zod';
import type { InAppProtocol } from '../../../actors/audiences/inapp/protocol.ts';
import { parseId } from '../../../engine/base/id.ts';
import { pageOf } from '../../page.ts';
import { key, route } from '../../route.ts';
import { pageQuery, pageWithExample } from '../../schemas.ts';
import { inAppSchema, inAppView } from './in-app-shape.ts';

export const listInAppMessages = route({
  method: 'GET',
  path: '/v1/apps/:appId/in-app-messages',
  summary: 'List in-app messages',
  tag: 'In-app messages',
  access: key('read'),
  lane: 'standard',
  query: z.object(pageQuery),
  responses: {
    200: {
      description: 'In-app messages, oldest first, including expired ones.',
      schema: pageWithExample(inAppSchema),
    },
  },
  refusals: [404],
  async handle(call) {
    const messages = await call.to<InAppProtocol>(call.app()).ask('inapp.list', {});
    const isId = (cursor: string) => parseId('iam', cursor) !== undefined;
    const { items, nextCursor } = pageOf(messages, call.query, ({ id }) => id, isId);
    return { status: 200, body: { items: items.map(inAppView), nextCursor } };
  },
});
