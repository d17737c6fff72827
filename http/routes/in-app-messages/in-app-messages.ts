// The in-app messages of an app: saved messages that it shows by itself.

import { z } from 'zod';
import type { InAppProtocol } from '../../../actors/audiences/inapp/protocol.ts';
import { limits } from '../../../actors/limits.ts';
import { pagesBy } from '../../call/answer/page.ts';
import { orderedQuery } from '../../call/schemas/schemas.ts';
import { namedTemplate } from '../message-templates/named-template.ts';
import { Resource } from '../resource.ts';
import { inAppBody, inAppInput, inAppPatch, inAppSchema, inAppView } from './in-app-shape.ts';

const inAppMessages = new Resource({
  path: '/v1/apps/:appId/in-app-messages',
  params: { id: 'In-app message id.' },
  tag: 'In-app messages',
  noun: 'in-app-message',
  a: 'an in-app message',
  prefix: 'iam',
  schema: inAppSchema,
  view: inAppView,
  actor: (call) => call.to<InAppProtocol>(call.app()),
  named: (call) => ({ id: call.param('id') }),
});

export const createInAppMessage = inAppMessages.create({
  description: `Shows a saved message, or a new one made from a template. Shown to people who match, between \`startAt\` and \`endAt\`, in their language, until they dismiss or archive it. Apps report what happens with the events \`inapp_viewed\`, \`inapp_clicked\`, \`inapp_dismissed\`, \`inbox_read\` and \`inbox_archived\`, with the in-app message's id as \`messageId\`. At most ${limits.inAppMessagesMax.toLocaleString('en')} in an app, ended ones included; a feed shows ${limits.feedMessagesMax.toLocaleString('en')}.`,
  body: inAppBody,
  creates: { kind: 'inapp.create', prefix: 'iam', read: '/v1/apps/:appId/in-app-messages/:id' },
  async handle(call) {
    const { messageId, ...members } = call.body;
    const input = inAppInput({ ...members, ...(messageId == null ? {} : { messageId }) });
    const named = namedTemplate(call, 'write');
    const made = await call.to<InAppProtocol>(call.app()).ask('inapp.create', { input, ...named });
    return { status: 201, body: inAppView(made) };
  },
});

export const listInAppMessages = inAppMessages.list({
  query: z.object(orderedQuery),
  answer: 'In-app messages, including expired ones.',
  all: 'inapp.list',
  page: pagesBy('iam'),
});

export const readInAppMessage = inAppMessages.read({ asks: 'inapp.read' });

export const updateInAppMessage = inAppMessages.update({
  description:
    "Fields you send are replaced; `null` removes `filter`, `startAt` or `endAt`. People who dismissed the message still don't see it.",
  body: inAppPatch,
  asks: 'inapp.update',
  says: ({ body }) => ({ input: inAppInput(body) }),
});

/** It disappears from every app and inbox. */
export const deleteInAppMessage = inAppMessages.remove({
  description:
    "The saved message is kept. The in-app message's stats and dismissals are deleted; people's events are kept.",
  asks: 'inapp.delete',
});
