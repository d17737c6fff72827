// Lists the feature flags of an app.

import { z } from 'zod';
import type { FlagsProtocol } from '../../../actors/audiences/flags/protocol.ts';
import { parseId } from '../../../engine/base/id.ts';
import { pageOf } from '../../page.ts';
import { key, route } from '../../route.ts';
import { pageQuery, pageWithExample } from '../../schemas.ts';
import { flagSchema, flagView } from './flag-shape.ts';

export const listFlags = route({
  method: 'GET',
  path: '/v1/apps/:appId/flags',
  summary: 'List feature flags',
  tag: 'Feature flags',
  access: key('read'),
  lane: 'standard',
  query: z.object(pageQuery),
  responses: { 200: { description: 'Flags, oldest first.', schema: pageWithExample(flagSchema) } },
  refusals: [404],
  async handle(call) {
    const flags = await call.to<FlagsProtocol>(call.app()).ask('flag.list', {});
    const isId = (cursor: string) => parseId('flg', cursor) !== undefined;
    const { items, nextCursor } = pageOf(flags, call.query, ({ id }) => id, isId);
    return { status: 200, body: { items: items.map(flagView), nextCursor } };
  },
});
