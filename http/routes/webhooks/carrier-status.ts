// What became of a text message or a call, as the carrier tells it. The ids stand in the address,
// which is part of what is signed.

import { z } from 'zod';
import type { CarrierChannel } from '../../../actors/channels/carrier/carrier-callback.ts';
import type { CallbacksProtocol } from '../../../actors/sending/callbacks/protocol.ts';
import type { Route } from '../../route.ts';
import { route } from '../../route.ts';
import { boundForm, callback, carrierSignatureOf, count, signedUrl } from './told.ts';

/** As `carrierCallbackUrl` writes it. */
const query = z.object({
  app: z.string().max(64).describe('The app.'),
  send: z.string().max(64).describe('The send.'),
  device: z.string().max(64).describe('The device that it was for.'),
});

export const receiveSmsStatus = statusRoute('sms', 'a text message');
export const receiveVoiceStatus = statusRoute('voice', 'a call');

function statusRoute(channel: CarrierChannel, what: string): Route {
  return route({
    ...callback,
    method: 'POST',
    path: `/v1/webhooks/twilio/${channel}-status`,
    summary: `Hear what became of ${what}`,
    description: `Called by the carrier, as a form, at the address that ${what} was sent with. Signed under the app's auth token over that address and the form, in \`x-carrier-signature\` or \`x-twilio-signature\`. A failure after the carrier had taken it becomes a \`bounced\` receipt of the send, a dead number disables the device, and telling it again, in any order, changes nothing. Of a send that is not known it is taken and ignored.`,
    query,
    rawBody: true,
    responses: { 204: { description: 'Taken, and durable.' } },
    requestHeaders: { 'x-carrier-signature': 'Or `x-twilio-signature`: the signature.' },
    refusals: [403, 404, 413],
    async handle(call) {
      const body = boundForm(call);
      const counts = await call.to<CallbacksProtocol>(call.app(call.query.app)).ask(
        'callback.carrier_status',
        {
          channel,
          url: signedUrl(call),
          signature: carrierSignatureOf(call),
          sendId: call.query.send,
          deviceId: call.query.device,
        },
        { bytes: body, weight: 0 },
      );
      count(call, channel, counts);
      return { status: 204 };
    },
  });
}
