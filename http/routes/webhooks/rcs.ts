// The RCS webhook of an app: its setup call, and one push per event.

import type { CallbacksProtocol } from '../../../actors/sending/callbacks/protocol.ts';
import { route } from '../../call/route.ts';
import { boundBody, callback, count } from './told.ts';

export const receiveRcs = route({
  ...callback,
  method: 'POST',
  path: '/v1/webhooks/rcs/:appId',
  summary: 'RCS webhook',
  description:
    "Called by Google with the status of messages and what people write. Signed in `x-goog-signature` with the `clientToken` of the app's stored credential; without one every request is rejected. A read message is an `opened` event, a message revoked at the end of its time to live becomes a `bounced` receipt, and `STOP`, `START` and the platform's own opt-outs work as in text messages. The request that verifies the webhook is answered with its secret.",
  rawBody: true,
  responses: {
    200: {
      description:
        'Accepted and stored. The body is the secret when Google verifies the webhook, else empty.',
      contentType: 'text/plain',
    },
  },
  requestHeaders: { 'x-goog-signature': 'Signature of the decoded `message.data`.' },
  refusals: [403, 413],
  async handle(call) {
    const body = boundBody(call);
    const { secret, ...counts } = await call
      .to<CallbacksProtocol>(call.app())
      .ask(
        'callback.rcs',
        { signature: call.header('x-goog-signature') },
        { bytes: body, weight: 0 },
      );
    count(call, 'rcs', counts);
    return {
      status: 200,
      text: secret ?? '',
      headers: [['content-type', 'text/plain; charset=utf-8']],
    };
  },
});
