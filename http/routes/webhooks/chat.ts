// The webhooks of providers with one address per app: a route for each channel whose entry has a
// `webhook`. A long batch is accepted in parts, each durable before the next. If it breaks off, the
// provider resends it, and accepted parts are recognized.

import { catalog, webhookChannels } from '../../../actors/channels/catalog.ts';
import { channelLabels, type WebhookChannel } from '../../../actors/channels/channel-ids.ts';
import type { WebhookEntry } from '../../../actors/channels/port/channel-entry.ts';
import type { CallbacksProtocol } from '../../../actors/sending/callbacks/protocol.ts';
import type { Route } from '../../call/route.ts';
import { route } from '../../call/route.ts';
import { boundBody, callback, count, countsSchema } from './told.ts';

/** By operation name: `receiveViber`. */
export const receiveWebhooks: Readonly<Record<string, Route>> = Object.fromEntries(
  webhookChannels.flatMap((id) => {
    const { webhook } = catalog[id];
    const name = `receive${id.charAt(0).toUpperCase()}${id.slice(1)}`;
    return webhook === undefined ? [] : [[name, webhookRoute(id, channelLabels[id], webhook)]];
  }),
);

function webhookRoute(
  channel: WebhookChannel,
  label: string,
  { header, proof, about, isBatched }: WebhookEntry,
): Route {
  return route({
    ...callback,
    method: 'POST',
    path: `/v1/webhooks/${channel}/:appId`,
    summary: `${label} webhook`,
    description: `${about} Authenticated by \`${header}\`; if the stored credential has no secret to check it with, every request is rejected. \`STOP\` and \`START\` work as in text messages. Repeated deliveries, in any order, change nothing.`,
    rawBody: true,
    responses: {
      200: {
        description: 'Accepted and stored. Counts per result.',
        schema: countsSchema,
      },
    },
    requestHeaders: { [header]: proof },
    refusals: [403, 413],
    async handle(call) {
      const app = call.app();
      const signature = call.header(header);
      const bytes = isBatched === true ? call.bytes : boundBody(call);
      const body = { taken: 0, repeated: 0, ignored: 0 };
      for (let from: number | null = 0; from !== null; ) {
        const { next, taken, repeated, ignored }: Part = await call
          .to<CallbacksProtocol>(app)
          .ask('callback.chat', { channel, signature, from }, { bytes, weight: 0 });
        body.taken += taken;
        body.repeated += repeated;
        body.ignored += ignored;
        from = next;
      }
      count(call, channel, body);
      return { status: 200, body };
    },
  });
}

interface Part {
  readonly taken: number;
  readonly repeated: number;
  readonly ignored: number;
  readonly next: number | null;
}
