// Inbound texts. STOP and START count, and what may be a STOP waits for a decision; the tenant
// reads the rest at the carrier.

import { channelsOf } from '../../../actors/channels/catalog.ts';
import type { CallbacksProtocol } from '../../../actors/sending/callbacks/protocol.ts';
import { route } from '../../call/route.ts';
import { boundForm, callback, carrierSignatureOf, count, signedUrl } from './told.ts';

/** The carrier sends nothing back for this. */
const silence = '<?xml version="1.0" encoding="UTF-8"?><Response/>';

const phoneChannels = channelsOf('phone')
  .map((id) => `\`${id}\``)
  .join(', ')
  .replace(/, (?=[^,]*$)/, ' and ');

export const receiveSms = route({
  ...callback,
  method: 'POST',
  path: '/v1/webhooks/twilio/sms-inbound/:appId',
  summary: 'Inbound SMS webhook',
  description: `Called by the carrier, with a form, when someone texts one of the app's numbers; configure this URL at the carrier. Signed like the status callbacks. \`STOP\`, or its equivalents in other languages that carriers honor, opts the number out of ${phoneChannels}. \`START\` removes an opt-out that \`STOP\` made, and no other. A text that is neither and may ask for an opt-out is listed by \`GET /v1/apps/:appId/suppressions/doubtful\`. Any other text is ignored.`,
  rawBody: true,
  responses: {
    200: {
      description: 'Accepted and stored. The body is an empty reply.',
      contentType: 'text/xml',
    },
  },
  requestHeaders: { 'x-carrier-signature': 'The signature; `x-twilio-signature` is accepted too.' },
  refusals: [403, 413],
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
