// Sends one message to one person. It is rendered and stored before the response.

import type { TransactionalProtocol } from '../../../actors/sending/transactional/protocol.ts';
import { key, route } from '../../call/route.ts';
import { namedTemplate } from '../message-templates/named-template.ts';
import { acceptedReply, acceptedSend, claimOfCall, idempotencyHeaders } from './accepted.ts';
import { givenMail, isFetched, keptMail } from './attachments.ts';
import { sendMessage } from './send-request.ts';
import { sendBody } from './send-shape.ts';

export const sendNotification = route({
  method: 'POST',
  path: '/v1/apps/:appId/notifications',
  summary: 'Send a message',
  description:
    'Rendered before the response: an undefined variable, an unknown filter or a text that renders to nothing is a 400 that names the field. A 202 means the send is stored. Retry with the same idempotency key and it is never sent twice; a rejected request releases its key. Files of `attachments` are fetched and stored before the response, too.',
  tag: 'Notifications',
  access: key('send'),
  changes: ['notification'],
  lane: 'transactional',
  requestHeaders: idempotencyHeaders,
  body: sendBody,
  responses: {
    202: acceptedSend,
  },
  refusals: [409],
  async handle(call) {
    const app = call.app();
    const { template } = namedTemplate(call, 'send');
    const request = { ...sendMessage(call.body), ...template };
    const claim = claimOfCall(call, app, 'notifications');
    const given = givenMail(call.body);
    const sends = call.to<TransactionalProtocol>(app);
    if (given !== undefined && claim !== null && isFetched(given)) {
      const earlier = await sends.ask('transactional.earlier', { claim });
      if (earlier !== null) return acceptedReply({ id: earlier.id, status: 'pending' }, true);
    }
    const mail = given && { mail: await keptMail(call, app, given) };
    const { id, replayed } = await sends.ask('transactional.accept', {
      request: { ...request, ...mail },
      claim,
    });
    return acceptedReply({ id, status: 'pending' }, replayed);
  },
});
