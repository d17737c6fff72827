// The org's apps; a key of one app sees that one.

import { z } from 'zod';
import { pageOf } from '../../page.ts';
import { key, route } from '../../route.ts';
import { pageQuery, pageWithExample } from '../../schemas.ts';
import { appSchema, appView } from './app-view.ts';

export const listApps = route({
  method: 'GET',
  path: '/v1/apps',
  summary: 'List apps',
  description: 'A key of one app sees only that app.',
  tag: 'Apps',
  access: key('read'),
  lane: 'standard',
  query: z.object(pageQuery),
  responses: { 200: { description: 'Apps, oldest first.', schema: pageWithExample(appSchema) } },
  async handle(call) {
    const only = call.grant?.appId ?? null;
    const apps = await call.ask(call.org, 'app.list', {});
    const seen = apps.filter(({ id }) => only === null || id === only).map(appView);
    return { status: 200, body: pageOf(seen, call.query, ({ id }) => id) };
  },
});
