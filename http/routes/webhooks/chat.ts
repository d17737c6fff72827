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
  proof: 'The signature of the body, under the `channelSecret` of the app’s stored credential.',
  about:
    'Called by LINE with who followed, blocked or wrote to the account; it tells nothing of messages. Whoever blocks the account opts out, and whoever follows it again lifts that.',
});

export const receiveZalo = chatRoute('zalo', 'Zalo', {
  proof:
    '`mac=` and the hash of app id, body, timestamp and the stored credential’s `oaSecretKey`.',
  about:
    'Called by Zalo with what became of messages, and who followed, left or wrote to the account. A message that was seen is an `opened` event.',
});

export const receiveViber = chatRoute('viber', 'Viber', {
  proof: 'The signature of the body, under the `authToken` of the app’s stored credential.',
  about:
    'Called by Viber with what became of messages, and who subscribed, left or wrote to the bot. A message that was seen is an `opened` event, and one that failed becomes a `bounced` receipt of the send. Registered with Viber whenever the credential is uploaded.',
});

export const receiveTelegram = chatRoute('telegram', 'Telegram', {
  proof:
    'The `secretToken` of the app’s stored credential; where that has none, the one that was made for it.',
  about:
    'Called by Telegram with who blocked the bot or let it in again, and what people wrote to it; it tells nothing of messages. `/stop` and `/start` count as the words do. Registered with Telegram whenever the credential is uploaded.',
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
    summary: `Hear from ${label}`,
    description: `${about} Proved by \`${header}\`; where the credential has nothing to check it by, every call is refused. \`STOP\` and \`START\` count as they do for text messages. Calls that come again, or in another order, change nothing.`,
    rawBody: true,
    responses: {
      200: {
        description: 'Taken, and durable: by what became of each thing.',
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
