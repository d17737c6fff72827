// The in-app messages and the inbox of the client's person.

import { z } from 'zod';
import type { FeedMessage, InAppProtocol } from '../../../actors/audiences/inapp/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { route } from '../../call/route.ts';
import { exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import { instant, instantSchema, pageQuery } from '../../call/schemas/schemas.ts';
import { inAppDisplaySchema } from '../in-app-messages/in-app-shape.ts';
import { appIdSchema, appNamed, personOfToken, sdkCall, sdkRefusals } from './sdk-shape.ts';
import {
  etagOfAnswer,
  unchangedAnswer,
  unchangedHeaders,
  unlessUnchanged,
} from './unless-unchanged.ts';

const shownMessage = z.object({
  id: z.string().describe('Sent as `messageId` in events.'),
  title: z.string().nullable(),
  body: z.string(),
  image: z.string().nullable(),
  deepLink: z.string().nullable(),
  buttons: z.array(
    z.object({ id: z.string().optional(), label: z.string(), url: z.string().optional() }),
  ),
  data: z.record(z.string(), z.string()),
  priority: z.int(),
  since: instantSchema,
  endAt: instantSchema.nullable(),
  display: inAppDisplaySchema
    .nullable()
    .describe('How a client shows it automatically; `null` means a modal that is shown at once.'),
});

const exampleMessage = {
  id: exampleIds.inApp,
  title: 'Welcome back',
  body: 'Your basket is as you left it.',
  image: null,
  deepLink: 'shop://basket',
  buttons: [],
  data: {},
  priority: 10,
  since: exampleInstant(),
  endAt: null,
  display: { kind: 'modal' as const, trigger: { event: 'cart_viewed' } },
};

const feedSchema = z
  .object({
    messages: z
      .array(shownMessage)
      .describe(
        'Messages to show now, highest priority first, without those the person dismissed or archived.',
      ),
    inbox: z.object({
      items: z
        .array(shownMessage.extend({ read: z.boolean(), archived: z.boolean() }))
        .describe('Newest first.'),
      unread: z
        .int()
        .describe(
          'Unread messages in the whole inbox, not only on this page; archived ones do not count.',
        ),
      nextCursor: z.string().nullable(),
    }),
  })
  .meta({
    examples: [
      {
        messages: [exampleMessage],
        inbox: {
          items: [{ ...exampleMessage, read: false, archived: false }],
          unread: 1,
          nextCursor: null,
        },
      },
    ],
  });

export const readFeed = route({
  method: 'GET',
  path: '/v1/sdk/feed',
  summary: 'Read the in-app feed',
  description:
    'In-app messages that the person currently matches, rendered in their language, and a page of their inbox. Send the client token in `Authorization: Bearer`.',
  ...sdkCall,
  reads: ['in-app-message', 'message'],
  clientToken: true,
  query: z.object({
    appId: appIdSchema,
    ...pageQuery,
    archived: z
      .enum(['true', 'false'])
      .default('false')
      .describe('`true`: `inbox.items` has the archived messages instead of the others.'),
  }),
  requestHeaders: unchangedHeaders,
  responses: {
    200: {
      description: 'The in-app messages to show, and the inbox.',
      schema: feedSchema,
      headers: etagOfAnswer,
    },
    ...unchangedAnswer,
  },
  refusals: [...sdkRefusals, 400, 401],
  async handle(call) {
    const { appId, limit, cursor, archived } = call.query;
    const { subscriberId } = await personOfToken(call, appId);
    const { messages, inbox } = await appNamed<InAppProtocol>(call, appId).ask('inapp.feed', {
      ref: { id: subscriberId },
      limit,
      ...present({ cursor }),
      archived: archived === 'true',
    });
    const items = inbox.items.map((item) => {
      const { read, archived } = item;
      return { ...shown(item), read, archived };
    });
    return unlessUnchanged(call, {
      messages: messages.map(shown),
      inbox: { ...inbox, items },
    });
  },
});

function shown(message: FeedMessage) {
  const { id, title, body, image, deepLink, buttons, data, priority, sinceMs, endMs } = message;
  const { display } = message;
  return {
    id,
    title: title ?? null,
    body,
    image: image ?? null,
    deepLink: deepLink ?? null,
    buttons: buttons ?? [],
    data: data ?? {},
    priority,
    since: instant(sinceMs),
    endAt: endMs === null ? null : instant(endMs),
    display: display ?? null,
  };
}
