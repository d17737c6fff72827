// Lists the org's API keys, without their texts.

import { z } from 'zod';
import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import { parseId } from '../../../engine/base/id.ts';
import { namedPageOf } from '../../call/answer/page.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { countedPage, listQuery } from '../../call/schemas/schemas.ts';
import { requireOrgKey } from '../org-key.ts';
import { keySchema, keyView } from './key-view.ts';

export const listKeys = route({
  method: 'GET',
  path: '/v1/keys',
  summary: 'List API keys',
  tag: 'Keys',
  access: key('admin'),
  reads: ['key'],
  lane: 'standard',
  query: z.object(listQuery),
  responses: { 200: { description: 'Keys.', schema: countedPage(keySchema) } },
  async handle(call) {
    requireOrgKey(call, 'keys are');
    const keys = await call.to<AccountsProtocol>(call.org).ask('key.list', {});
    const isId = (cursor: string) => parseId('key', cursor) !== undefined;
    return { status: 200, body: namedPageOf(keys.map(keyView), present(call.query), isId) };
  },
});
