// The RCS platform's webhook of an app: the call that sets it up, and one push for each thing that
// happens.

import type { CallbacksProtocol } from '../../../actors/sending/callbacks/protocol.ts';
import { route } from '../../route.ts';
import { boundBody, callback, count } from './told.ts';

export const receiveRcs = route({
  ...callback,
  method: 'POST',
  path: '/v1/webhooks/rcs/:appId',
  summary: 'Hear from RCS',
  description:
    'Called by Google with what became of a message and what somebody wrote. Signed in `x-goog-signature` under the `clientToken` of the app’s stored credential; without one every call is refused. A read is an `opened` event, a message revoked at the end of its life becomes a `bounced` receipt of the send, and `STOP`, `START` and the platform’s own opt-outs count as they do for text messages. The call that sets the webhook up is answered with its secret.',
  rawBody: true,
  responses: {
    200: { description: 'Taken, and durable: the secret, or nothing.', contentType: 'text/plain' },
  },
  requestHeaders: { 'x-goog-signature': 'The signature of `message.data`, decoded.' },
  refusals: [403, 404, 413],
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
