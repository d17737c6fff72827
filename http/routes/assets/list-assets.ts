// Lists the pictures of an app.

import { z } from 'zod';
import type { AssetsProtocol } from '../../../actors/content/assets/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { countedPage, exampleOf, orderedQuery } from '../../call/schemas/schemas.ts';
import { assetSchema, assetView } from './asset-shape.ts';

const page = countedPage(assetSchema);

export const listAssets = route({
  method: 'GET',
  path: '/v1/apps/:appId/assets',
  summary: 'List images',
  tag: 'Assets',
  access: key('read'),
  reads: ['asset'],
  lane: 'standard',
  query: z.object(orderedQuery),
  responses: {
    200: {
      description: 'Assets, and the total size of all assets.',
      schema: page
        .extend({ bytes: z.int().describe('Total size of all assets of the app.') })
        .meta({ examples: [{ ...exampleOf(page), bytes: 48_213 }] }),
    },
  },
  refusals: [404],
  async handle(call) {
    const { items, ...rest } = await call
      .to<AssetsProtocol>(call.app())
      .ask('asset.list', present(call.query));
    const { publicUrl } = call.edge.config;
    return { status: 200, body: { ...rest, items: items.map((row) => assetView(row, publicUrl)) } };
  },
});
