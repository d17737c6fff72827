// Lists the org's apps; a key of one app sees only that one.

import { z } from 'zod';
import type { AccountsProtocol } from '../../../actors/tenants/accounts/protocol.ts';
import type { AppRecord } from '../../../actors/tenants/accounts/records.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { parseId } from '../../../engine/base/id.ts';
import { namedPageOf } from '../../call/answer/page.ts';
import { present } from '../../call/answer/present.ts';
import type { Call } from '../../call/call.ts';
import { key, route } from '../../call/route.ts';
import { countedPage, listQuery } from '../../call/schemas/schemas.ts';
import { appSchema, appView } from './app-view.ts';

export const listApps = route({
  method: 'GET',
  path: '/v1/apps',
  summary: 'List apps',
  description: 'An app-scoped key sees only its own app.',
  tag: 'Apps',
  access: key('read'),
  reads: ['app', 'credential', 'settings'],
  lane: 'standard',
  query: z.object(listQuery),
  responses: { 200: { description: 'Apps.', schema: countedPage(appSchema) } },
  async handle(call) {
    const only = call.grant?.appId ?? null;
    const apps = await call.to<AccountsProtocol>(call.org).ask('app.list', {});
    const seen = apps.filter(({ id }) => only === null || id === only);
    const isId = (cursor: string) => parseId('app', cursor) !== undefined;
    const { items, nextCursor, total } = namedPageOf(seen, present(call.query), isId);
    const views = await Promise.all(items.map((app) => viewed(call, app)));
    return {
      status: 200,
      body: { items: views.filter((view) => view !== undefined), nextCursor, total },
    };
  },
});

/** With the web push key from its own actor; `undefined` if deleted since the list was read. */
async function viewed(call: Call<unknown, unknown>, app: AppRecord) {
  try {
    const { vapidPublicKey } = await call.to<AccountsProtocol>(app.ordinal).ask('app.read', {});
    return appView(app, vapidPublicKey);
  } catch (error) {
    if (error instanceof FaultError && error.fault.code === 'not_found') return undefined;
    throw error;
  }
}
