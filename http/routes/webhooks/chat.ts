// The webhooks of LINE, Zalo, Viber and Telegram: one address an app and provider, which is called
// with everything. A long batch is taken in parts, each durable before the next; should it be cut
// off between two, it comes again, and what was taken is known.

import {
  type ChatChannel,
  chatSigningHeaders,
} from '../../../actors/sending/callbacks/chat-item.ts';
import type { CallbacksProtocol } from '../../../actors/sending/callbacks/protocol.ts';
import type { Route } from '../../route.ts';
import { route } from '../../route.ts';
import { boundBody, callback, count, countsSchema } from './told.ts';

export const receiveLine = chatRoute('line', 'LINE', {
  proof: "Signature of the body, with the `channelSecret` of the app's stored credential.",
  about:
    'Called by LINE when someone follows, blocks or writes to the account. LINE does not report message status. Blocking the account opts the person out; following it again removes that opt-out.',
});

export const receiveZalo = chatRoute('zalo', 'Zalo', {
  proof:
    "`mac=` followed by the hash of app id, body, timestamp and the stored credential's `oaSecretKey`.",
  about:
    'Called by Zalo with the status of messages, and when someone follows, leaves or writes to the account. A seen message is an `opened` event.',
});

export const receiveViber = chatRoute('viber', 'Viber', {
  proof: "Signature of the body, with the `authToken` of the app's stored credential.",
  about:
    'Called by Viber with the status of messages, and when someone subscribes, leaves or writes to the bot. A seen message is an `opened` event; a failed one becomes a `bounced` receipt. Engage registers this URL with Viber when the credential is uploaded.',
});

export const receiveTelegram = chatRoute('telegram', 'Telegram', {
  proof:
    "The `secretToken` of the app's stored credential, or the one Engage generated if it has none.",
  about:
    'Called by Telegram when someone blocks, unblocks or writes to the bot. Telegram does not report message status. `/stop` and `/start` work like `STOP` and `START`. Engage registers this URL with Telegram when the credential is uploaded.',
});

function chatRoute(
  channel: ChatChannel,
  label: string,
  { proof, about }: { readonly proof: string; readonly about: string },
): Route {
  const header = chatSigningHeaders[channel];
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
    refusals: [403, 404, 413],
    async handle(call) {
      const app = call.app();
      const signature = call.header(header);
      // Only LINE tells many things at once.
      const bytes = channel === 'line' ? call.bytes : boundBody(call);
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
