// What connects a webhook or a chat workspace: the body of the PUT, and, as JSON Schema, the
// catalog's description of it. Whether the URL may be called is judged beside it, because that
// depends on the operator's settings (http/call/schemas/callable-url.ts).

import { z } from 'zod';
import { integerRange } from '../../../actors/integer-range.ts';
import { webhookKinds } from '../../../actors/integrations/webhooks/event.ts';
import { isWebhookSecret } from '../../call/keys/webhook-secret.ts';

const headersMax = 5;
const headerCharsMax = 1_024;

type Kind = Exclude<(typeof webhookKinds)[number], 'webhook.test'>;
type Group<Word extends string> = Word extends `${infer Name}.${string}` ? `${Name}.*` : never;

/** What a destination may ask for. A test is sent only when somebody asks for one. */
const kinds = webhookKinds.filter((kind): kind is Kind => kind !== 'webhook.test');
const groups = [...new Set(kinds.map((kind) => kind.replace(/\..*/, '.*') as Group<Kind>))];
const selectors = ['*', ...groups, ...kinds] as const;

const url = z
  .string()
  .trim()
  .min(1)
  .max(2048)
  .describe('A public https URL on port 443 or 8443, without username or password.');

const enabled = z.boolean().default(true).describe('`false` turns it off.');

/** Names of HTTP (RFC 9110, 5.1), in lower case. */
const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]{1,64}$/;
const headerValue = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;
/** What the call itself sets, or what would change how it is framed. */
const reserved =
  /^(x-engage-.*|webhook-(id|timestamp|signature)|host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-(length|type|encoding)|accept-encoding|user-agent)$/;

const headers = z
  .record(z.string(), z.string())
  .superRefine((given, context) => {
    const names = Object.keys(given);
    const add = (message: string, ...path: string[]) =>
      context.addIssue({ code: 'custom', message, path, input: given });
    if (names.length > headersMax) add(`expected at most ${headersMax} headers`);
    if (new Set(names.map((name) => name.toLowerCase())).size < names.length)
      add('has the same header twice; names are the same in upper and lower case');
    for (const [name, value] of Object.entries(given)) {
      if (!headerName.test(name.toLowerCase())) add('is not the name of an HTTP header', name);
      else if (reserved.test(name.toLowerCase())) add('is set by Engage', name);
      else if (value.length > headerCharsMax || !headerValue.test(value))
        add(`expected 1 to ${headerCharsMax} visible ASCII characters`, name);
    }
  })
  .overwrite((given) =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value])),
  );

export const webhookConfig = z
  .object({
    url,
    secret: z
      .string()
      .refine(
        isWebhookSecret,
        'expected `whsec_` and base64 of 24 to 64 bytes, or 16 to 256 visible ASCII characters',
      )
      .optional()
      .describe(
        'Signs the deliveries: `whsec_` and base64 of 24 to 64 bytes, or 16 to 256 visible ASCII characters. If omitted, Engage generates one and shows it once.',
      ),
    events: z
      .array(z.enum(selectors))
      .min(1)
      .max(64)
      .overwrite((chosen) => [...new Set(chosen)])
      .describe('Event kinds; `message.*`, `campaign.*` and the like, and `*`, stand for several.'),
    headers: headers
      .optional()
      .describe('Up to five custom headers for each delivery, such as `authorization`.'),
    concurrency: integerRange(1, 64)
      .default(16)
      .describe('Concurrent deliveries; `1` keeps them in order.'),
    enabled,
  })
  .meta({
    id: 'WebhookConfiguration',
    examples: [
      {
        url: 'https://hooks.acme.example/engage',
        events: ['campaign.completed', 'message.*'],
        headers: { authorization: 'Bearer example' },
      },
    ],
  });

export const slackConfig = z
  .object({
    url: url.describe(
      "The workspace's incoming webhook URL, from Slack, Mattermost or Discord (with `/slack` at the end).",
    ),
    enabled,
  })
  .meta({
    id: 'ChatWorkspaceConfiguration',
    examples: [{ url: 'https://hooks.slack.com/services/T000/B000/example' }],
  });
