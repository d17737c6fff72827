// Lists the feature flags of an app.

import { z } from 'zod';
import type { FlagsProtocol } from '../../../actors/audiences/flags/protocol.ts';
import { parseId } from '../../../engine/base/id.ts';
import { namedPageOf } from '../../call/answer/page.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { countedPage, listQuery } from '../../call/schemas/schemas.ts';
import { flagSchema, flagView } from './flag-shape.ts';

export const listFlags = route({
  method: 'GET',
  path: '/v1/apps/:appId/flags',
  summary: 'List feature flags',
  tag: 'Feature flags',
  access: key('read'),
  reads: ['flag'],
  lane: 'standard',
  query: z.object(listQuery),
  responses: {
    200: { description: 'Flags. `q` searches their keys.', schema: countedPage(flagSchema) },
  },
  refusals: [404],
  async handle(call) {
    const flags = await call.to<FlagsProtocol>(call.app()).ask('flag.list', {});
    const isId = (cursor: string) => parseId('flg', cursor) !== undefined;
    const named = flags.map((flag) => ({ ...flag, name: flag.key }));
    const page = namedPageOf(named, present(call.query), isId);
    return { status: 200, body: { ...page, items: page.items.map(flagView) } };
  },
});
