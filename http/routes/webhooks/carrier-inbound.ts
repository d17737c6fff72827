// What people write to the tenant's numbers: STOP and START count, the rest is theirs to read at
// the carrier.

import type { CallbacksProtocol } from '../../../actors/sending/callbacks/protocol.ts';
import { route } from '../../route.ts';
import { boundForm, callback, carrierSignatureOf, count, signedUrl } from './told.ts';

/** The carrier sends its sender nothing back for this. */
const silence = '<?xml version="1.0" encoding="UTF-8"?><Response/>';

export const receiveSms = route({
  ...callback,
  method: 'POST',
  path: '/v1/webhooks/twilio/sms-inbound/:appId',
  summary: 'Receive a text message',
  description:
    'Called by the carrier, as a form, with what somebody wrote to a number of the app; set this address at the carrier. Signed as its status callbacks are. A message that is `STOP`, or its like in the languages that carriers honour, opts the number out of `sms`, `voice`, `whatsapp`, `rcs` and `kakao`; `START` lifts what `STOP` set, and nothing else. Any other text changes nothing.',
  rawBody: true,
  responses: {
    200: { description: 'Taken, and durable: an empty reply.', contentType: 'text/xml' },
  },
  requestHeaders: { 'x-carrier-signature': 'Or `x-twilio-signature`: the signature.' },
  refusals: [403, 404, 413],
  async handle(call) {
    const body = boundForm(call);
    const counts = await call
      .to<CallbacksProtocol>(call.app())
      .ask(
        'callback.carrier_inbound',
        { url: signedUrl(call), signature: carrierSignatureOf(call) },
        { bytes: body, weight: 0 },
      );
    count(call, 'sms', counts);
    return { status: 200, text: silence, headers: [['content-type', 'text/xml']] };
  },
});
