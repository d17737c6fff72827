// The `webhooks` of the API description (OpenAPI 3.1): what this server sends to receivers, from
// the shapes and examples of its events.

import type { SchemaComponents } from '../call/schemas/json-schema.ts';
import type { OpenApiParameter, OpenApiResponse, OpenApiWebhook } from './openapi-types.ts';
import { webhookExamples, webhookKindWords, webhookPayloadSchema } from './webhook-events.ts';

/** By event kind. */
export function describedWebhooks(
  components: SchemaComponents,
): Readonly<Record<string, OpenApiWebhook>> {
  return Object.fromEntries(
    webhookExamples.map(({ kind, payload }) => {
      const schema = components.add(webhookPayloadSchema(kind), 'output');
      const content = { 'application/json': { schema, examples: { example: { value: payload } } } };
      const post = {
        operationId: `on ${kind}`.replace(/[ ._](\w)/g, (_, first: string) => first.toUpperCase()),
        summary: kind.replace(/[._]/g, ' ').replace(/^./, (first) => first.toUpperCase()),
        description: webhookKindWords[kind],
        parameters,
        requestBody: { required: true, content },
        responses,
        // Receivers check a signature; no credential of this API goes to them.
        security: [] as const,
      };
      return [kind, { post }];
    }),
  );
}

const headers: readonly (readonly [name: string, required: boolean, description: string])[] = [
  ['x-engage-event', true, 'The event kind.'],
  ['x-engage-delivery-id', true, 'The same at every attempt; deduplicate by it.'],
  ['x-engage-timestamp', true, 'When this attempt began, in Unix seconds.'],
  ['x-engage-signature', false, 'HMAC-SHA256 of the body with the secret, in hex.'],
  ['x-engage-signature-v2', false, 'HMAC-SHA256 of `<timestamp>.<body>`, in hex.'],
  [
    'x-engage-replayed',
    false,
    '`1` if it may have been delivered before, because the operator restored a backup.',
  ],
  [
    'webhook-id',
    false,
    'The delivery id, as Standard Webhooks names it. The legacy webhook does not have it.',
  ],
  [
    'webhook-timestamp',
    false,
    'The timestamp, as Standard Webhooks names it. The legacy webhook does not have it.',
  ],
  [
    'webhook-signature',
    false,
    '`v1,` and the base64 of HMAC-SHA256 of `<id>.<timestamp>.<body>`; two while a secret is replaced.',
  ],
];

const parameters: readonly OpenApiParameter[] = headers.map(([name, required, description]) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
}));

const responses: Readonly<Record<string, OpenApiResponse>> = {
  '2XX': { description: 'Received. Respond within 10 seconds.' },
  '410': { description: 'Not wanted: this delivery is not retried.' },
  default: {
    description:
      'Anything else, including a redirect, is retried after 1, 5 and 30 minutes, 2 and 8 hours.',
  },
};
