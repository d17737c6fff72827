// Lists the integrations that an app can use, and the configuration that each needs, from the
// schemas that judge it.

import { z } from 'zod';
import { pageOf } from '../../call/answer/page.ts';
import { key, route } from '../../call/route.ts';
import { countedPage, exampleOf, pageQuery } from '../../call/schemas/schemas.ts';
import { cdpConfig } from './cdp.ts';
import { slackConfig, webhookConfig } from './webhook-config.ts';

const types = ['cdp', 'slack', 'webhook'] as const;

const entrySchema = z
  .object({
    type: z.enum(types),
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
          "Receives people, their devices and events from Segment's and RudderStack's libraries.",
        configSchema: configSchemaOf(cdpConfig),
      },
    ],
  });

const catalog: readonly z.output<typeof entrySchema>[] = [
  exampleOf(entrySchema),
  {
    type: 'slack',
    name: 'Chat workspace',
    description:
      'Posts a message with the totals of devices to Slack, Mattermost or Discord when a campaign has finished sending.',
    configSchema: configSchemaOf(slackConfig),
  },
  {
    type: 'webhook',
    name: 'Webhook',
    description:
      'Sends events of campaigns, messages and subscribers to your server, signed and retried. An app has up to ten: `webhook`, and `webhook-<name>` for more.',
    configSchema: configSchemaOf(webhookConfig),
  },
];

/** A schema that has a name comes as a reference to it; the catalog shows what it stands for. */
function configSchemaOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema, $ref, $defs, ...described } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  });
  const { id, ...named } = $defs?.[$ref?.slice('#/$defs/'.length) ?? ''] ?? {};
  return { ...named, ...described };
}

export const listCatalog = route({
  method: 'GET',
  path: '/v1/integrations',
  summary: 'List available integrations',
  tag: 'Integrations',
  access: key('read'),
  reads: [],
  query: z.object(pageQuery),
  responses: {
    200: {
      description: 'The catalog, by type.',
      schema: countedPage(entrySchema),
    },
  },
  async handle(call) {
    const isType = (cursor: string) => catalog.some(({ type }) => type === cursor);
    return { status: 200, body: pageOf(catalog, call.query, ({ type }) => type, isType) };
  },
});
