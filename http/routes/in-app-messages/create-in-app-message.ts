// Creates an in-app message from a saved message.

import type { InAppProtocol } from '../../../actors/audiences/inapp/protocol.ts';
import { limits } from '../../../actors/limits.ts';
import { key, route } from '../../call/route.ts';
import { namedTemplate } from '../message-templates/named-template.ts';
import { inAppBody, inAppInput, inAppSchema, inAppView } from './in-app-shape.ts';

export const createInAppMessage = route({
  method: 'POST',
  path: '/v1/apps/:appId/in-app-messages',
  summary: 'Create an in-app message',
  description: `Shows a saved message, or a new one made from a template. Shown to people who match, between \`startAt\` and \`endAt\`, in their language, until they dismiss it. Apps report what happens with the events \`inapp_viewed\`, \`inapp_clicked\`, \`inapp_dismissed\` and \`inbox_read\`, with the in-app message's id as \`messageId\`. At most ${limits.inAppMessagesMax.toLocaleString('en')} in an app, ended ones included; a feed shows ${limits.feedMessagesMax.toLocaleString('en')}.`,
  tag: 'In-app messages',
  access: key('write'),
  changes: ['in-app-message'],
  lane: 'standard',
  body: inAppBody,
  creates: { kind: 'inapp.create', prefix: 'iam', read: '/v1/apps/:appId/in-app-messages/:id' },
  responses: { 201: { description: 'The in-app message.', schema: inAppSchema } },
  refusals: [404, 409],
  async handle(call) {
    const { messageId, ...members } = call.body;
    const input = inAppInput({ ...members, ...(messageId == null ? {} : { messageId }) });
    const named = namedTemplate(call, 'write');
    const made = await call.to<InAppProtocol>(call.app()).ask('inapp.create', { input, ...named });
    return { status: 201, body: inAppView(made) };
  },
});
