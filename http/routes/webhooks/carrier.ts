// What carriers of SMS and voice tell: texts of people, and the status of calls and messages.

import { z } from 'zod';
import type { CarrierChannel } from '../../../actors/channels/carrier/status-url.ts';
import { channelsOf } from '../../../actors/channels/catalog.ts';
import type { CallbacksProtocol } from '../../../actors/sending/callbacks/protocol.ts';
import { type Route, route } from '../../call/route.ts';
import { boundForm, callback, carrierSignatureOf, count, signedUrl } from './told.ts';

/** The carrier sends nothing back for this. */
const silence = '<?xml version="1.0" encoding="UTF-8"?><Response/>';

const phoneChannels = channelsOf('phone')
  .map((id) => `\`${id}\``)
  .join(', ')
  .replace(/, (?=[^,]*$)/, ' and ');

/**
 * Inbound texts. STOP and START count, and what may be a STOP waits for a decision; the tenant
 * reads the rest at the carrier.
 */
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

/** As `carrierCallbackUrl` writes it. */
const query = z.object({
  app: z.string().max(64).describe('App id.'),
  send: z.string().max(64).describe('Send id.'),
  device: z.string().max(64).describe('Device id of the send.'),
});

/**
 * A text message's or call's delivery status. The carrier signs the address, which has the ids.
 */
export const receiveSmsStatus = statusRoute('sms', 'a text message');
export const receiveVoiceStatus = statusRoute('voice', 'a call');

function statusRoute(channel: CarrierChannel, what: string): Route {
  return route({
    ...callback,
    method: 'POST',
    path: `/v1/webhooks/twilio/${channel}-status`,
    summary: `${channel === 'sms' ? 'SMS' : 'Call'} status webhook`,
    description: `Called by the carrier, with a form, at the callback URL given with ${what}. Signed with the app's auth token over the URL and the form, in \`x-carrier-signature\` or \`x-twilio-signature\`. A failure after the carrier accepted the message becomes a \`bounced\` receipt, and a dead number disables its device. Repeated callbacks, in any order, change nothing. Callbacks for unknown sends are accepted and ignored.`,
    query,
    rawBody: true,
    responses: { 204: { description: 'Accepted and stored.' } },
    requestHeaders: {
      'x-carrier-signature': 'The signature; `x-twilio-signature` is accepted too.',
    },
    refusals: [400, 403, 404, 413],
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
