// Lists the integrations that an app can use, and the configuration that each needs.

import { z } from 'zod';
import { pageOf } from '../../page.ts';
import { key, route } from '../../route.ts';
import { exampleOf, pageQuery, pageSchema } from '../../schemas.ts';
import { integrationTypes } from './integration-view.ts';

const entrySchema = z
  .object({
    type: z.enum(integrationTypes),
    name: z.string(),
    description: z.string(),
    configSchema: z
      .record(z.string(), z.unknown())
      .describe('JSON Schema of the request body that connects it.'),
  })
  .meta({
    id: 'IntegrationType',
    examples: [
      {
        type: 'cdp',
        name: 'Customer data platform',
        description:
          "Receives people and events from Segment's and RudderStack's server libraries.",
        configSchema: { type: 'object', properties: {} },
      },
    ],
  });

const catalog: readonly z.output<typeof entrySchema>[] = [exampleOf(entrySchema)];

export const listCatalog = route({
  method: 'GET',
  path: '/v1/integrations',
  summary: 'List available integrations',
  tag: 'Integrations',
  access: key('read'),
  lane: 'standard',
  query: z.object(pageQuery),
  responses: {
    200: {
      description: 'The catalog, by type.',
      schema: pageSchema(entrySchema).meta({
        examples: [{ items: [exampleOf(entrySchema)], nextCursor: null }],
      }),
    },
  },
  async handle(call) {
    const isType = (cursor: string) => catalog.some(({ type }) => type === cursor);
    return { status: 200, body: pageOf(catalog, call.query, ({ type }) => type, isType) };
  },
});
