// The handshake that sets up an app's WhatsApp webhook.

import { z } from 'zod';
import type { CallbacksProtocol } from '../../../actors/sending/callbacks/protocol.ts';
import { route } from '../../call/route.ts';
import { callback } from './told.ts';

export const subscribeWhatsapp = route({
  ...callback,
  reads: ['credential'],
  changes: [],
  method: 'GET',
  path: '/v1/webhooks/whatsapp/:appId',
  summary: 'Verify the WhatsApp webhook',
  description:
    "Called by Meta when you save the webhook URL. Returns the challenge if `hub.verify_token` equals the `verifyToken` of the app's stored credential.",
  query: z.object({
    'hub.mode': z.string().max(64).optional().describe('`subscribe`.'),
    'hub.verify_token': z.string().max(1_024).optional(),
    'hub.challenge': z.string().max(1_024).default(''),
  }),
  responses: { 200: { description: 'The challenge.', contentType: 'text/plain' } },
  refusals: [400, 403],
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
