// Lists the in-app messages of an app.

import { z } from 'zod';
import type { InAppProtocol } from '../../../actors/audiences/inapp/protocol.ts';
import { parseId } from '../../../engine/base/id.ts';
import { namedPageOf } from '../../call/answer/page.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { countedPage, orderedQuery } from '../../call/schemas/schemas.ts';
import { inAppSchema, inAppView } from './in-app-shape.ts';

export const listInAppMessages = route({
  method: 'GET',
  path: '/v1/apps/:appId/in-app-messages',
  summary: 'List in-app messages',
  tag: 'In-app messages',
  access: key('read'),
  reads: ['in-app-message'],
  lane: 'standard',
  query: z.object(orderedQuery),
  responses: {
    200: {
      description: 'In-app messages, including expired ones.',
      schema: countedPage(inAppSchema),
    },
  },
  refusals: [404],
  async handle(call) {
    const messages = await call.to<InAppProtocol>(call.app()).ask('inapp.list', {});
    const isId = (cursor: string) => parseId('iam', cursor) !== undefined;
    const page = namedPageOf(messages, present(call.query), isId);
    return { status: 200, body: { ...page, items: page.items.map(inAppView) } };
  },
});
