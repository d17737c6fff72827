// Lists an app's integrations.

import { z } from 'zod';
import type { CdpProtocol } from '../../../actors/events/cdp/protocol.ts';
import { pageOf } from '../../page.ts';
import { key, route } from '../../route.ts';
import { pageQuery, pageWithExample } from '../../schemas.ts';
import { integrationSchema, integrationTypes, integrationView } from './integration-view.ts';

export const listIntegrations = route({
  method: 'GET',
  path: '/v1/apps/:id/integrations',
  summary: 'List integrations',
  description: 'Never includes configurations or keys.',
  tag: 'Integrations',
  access: key('admin'),
  lane: 'standard',
  params: { id: 'App id.' },
  query: z.object(pageQuery),
  responses: {
    200: { description: 'Integrations by type.', schema: pageWithExample(integrationSchema) },
  },
  refusals: [404],
  async handle(call) {
    const items = (await call.to<CdpProtocol>(call.app()).ask('integration.list', {})).map(
      integrationView,
    );
    const isType = (cursor: string) => integrationTypes.some((type) => type === cursor);
    return { status: 200, body: pageOf(items, call.query, ({ type }) => type, isType) };
  },
});
