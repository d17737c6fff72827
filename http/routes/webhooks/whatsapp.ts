// WhatsApp's webhook of an app: the handshake that sets it up, and what it tells then, in batches.
// A long batch is taken in parts, each durable before the next; should it be cut off between two,
// it comes again, and what was taken is known.

import { z } from 'zod';
import type { CallbacksProtocol } from '../../../actors/sending/callbacks/protocol.ts';
import { route } from '../../route.ts';
import { callback, count, countsSchema } from './told.ts';

const path = '/v1/webhooks/whatsapp/:appId';

export const subscribeWhatsapp = route({
  ...callback,
  method: 'GET',
  path,
  summary: 'Verify the WhatsApp webhook',
  description:
    "Called by Meta when you save the webhook URL. Returns the challenge if `hub.verify_token` equals the `verifyToken` of the app's stored credential.",
  query: z.object({
    'hub.mode': z.string().max(64).optional().describe('`subscribe`.'),
    'hub.verify_token': z.string().max(1_024).optional(),
    'hub.challenge': z.string().max(1_024).default(''),
  }),
  responses: { 200: { description: 'The challenge.', contentType: 'text/plain' } },
  refusals: [403, 404],
  async handle(call) {
    const {
      'hub.mode': mode,
      'hub.verify_token': verifyToken,
      'hub.challenge': challenge,
    } = call.query;
    await call
      .to<CallbacksProtocol>(call.app())
      .ask('callback.whatsapp_subscribe', { mode, verifyToken });
    return {
      status: 200,
      text: challenge,
      headers: [['content-type', 'text/plain; charset=utf-8']],
    };
  },
});

export const receiveWhatsapp = route({
  ...callback,
  method: 'POST',
  path,
  summary: 'WhatsApp webhook',
  description:
    "Called by Meta with the status of messages and what people write. Signed in `x-hub-signature-256` with the `appSecret` of the app's stored credential; without one every request is rejected. A read message is an `opened` event. A failure after acceptance becomes a `bounced` receipt; code 131026 also disables the device. `STOP` and `START` work as in text messages. Repeated deliveries, in any order, change nothing.",
  rawBody: true,
  responses: {
    200: { description: 'Accepted and stored. Counts per result.', schema: countsSchema },
  },
  requestHeaders: { 'x-hub-signature-256': '`sha256=` followed by the signature of the body.' },
  refusals: [403, 404, 413],
  async handle(call) {
    const app = call.app();
    const signature = call.header('x-hub-signature-256');
    const body = { taken: 0, repeated: 0, ignored: 0 };
    for (let from: number | null = 0; from !== null; ) {
      const { next, taken, repeated, ignored }: Part = await call
        .to<CallbacksProtocol>(app)
        .ask('callback.whatsapp', { signature, from }, { bytes: call.bytes, weight: 0 });
      body.taken += taken;
      body.repeated += repeated;
      body.ignored += ignored;
      from = next;
    }
    count(call, 'whatsapp', body);
    return { status: 200, body };
  },
});

interface Part {
  readonly taken: number;
  readonly repeated: number;
  readonly ignored: number;
  readonly next: number | null;
}
