// Tools for messages to one person, and for the content that campaigns and journeys send.

import type { z } from 'zod';
import { listMessageTemplates } from '../../routes/message-templates/templates.ts';
import { createMessage, listMessages } from '../../routes/messages/messages.ts';
import { previewMessage } from '../../routes/messages/previews.ts';
import { readNotification } from '../../routes/notifications/read-notification.ts';
import { sendNotification } from '../../routes/notifications/send-notification.ts';
import type { sendSchema } from '../../routes/notifications/send-view.ts';
import { counted, quoted } from '../quoted.ts';
import { routeTool, type Tool } from '../tool.ts';
import { type ListPage, pageText } from './page-text.ts';

interface Accepted {
  readonly id: string;
}

const sendTransactional = routeTool<Accepted>({
  name: 'send_transactional',
  title: 'Send a message to one person',
  description:
    'Sends one message to one person now, on all of their devices or on `channels`. This cannot be undone. The text is Liquid; an undefined variable is refused. With an `idempotencyKey`, a repeated call within 24 hours does not send again and returns `replayed: true`. Naming a template needs the scope read, too. `explain_delivery` shows the result.',
  effect: 'sends',
  route: sendNotification,
  params: { appId: 'appId' },
  text: ({ id }) => `The message was accepted and stored as the send ${id}.`,
  data: (accepted, _args, { headers = [] }) => ({
    ...accepted,
    replayed: headers.some(([name]) => name === 'x-idempotent-replay'),
  }),
});

type ExplainedSend = z.output<typeof sendSchema> & {
  readonly story: readonly { readonly text: string }[];
};

const explainDelivery = routeTool<ExplainedSend>({
  name: 'explain_delivery',
  title: 'Explain the delivery of a message',
  description:
    'Tells the story of a send: its status, the receipt of each device, each call to a provider with its response, the checks that led to it, and what happens next. An unknown id reads as pending, without receipts.',
  effect: 'reads',
  route: readNotification,
  params: { appId: 'appId', sendId: 'id' },
  query: { story: 'true', content: 'false' },
  text: ({ status, outcomes, failures, story }) => {
    const last = story.at(-1)?.text;
    const end = last === undefined ? '' : ` The story ends with ${quoted(last)}.`;
    return `The send is ${status}, with ${counted(outcomes.length, 'receipt')} and ${counted(failures.open, 'open failure')}.${end}`;
  },
});

const createMessageTool = routeTool<{ readonly id: string }>({
  name: 'create_message',
  title: 'Create a message',
  description:
    'Saves a message, for campaigns, journeys and in-app messages. The text is Liquid, personalized from tags. With `templateName` or `templateId` it starts as a copy of that template, which needs the scope read, too. Nothing is sent. `preview_message` shows it.',
  effect: 'adds',
  route: createMessage,
  params: { appId: 'appId' },
  text: ({ id }) => `The message ${id} was created, and nothing was sent.`,
});

const listMessagesTool = routeTool<ListPage>({
  name: 'list_messages',
  title: 'List messages',
  description:
    'Lists the saved messages of an app, newest first. `create_campaign` takes the id of one as `messageId`.',
  effect: 'reads',
  route: listMessages,
  params: { appId: 'appId' },
  text: (page) => pageText(page, 'message'),
});

const listTemplates = routeTool<ListPage>({
  name: 'list_templates',
  title: 'List message templates',
  description:
    'Lists the message templates of an app, newest first. `send_transactional`, `create_message` and `create_campaign` accept the name of one as `templateName`.',
  effect: 'reads',
  route: listMessageTemplates,
  params: { appId: 'appId' },
  text: (page) => pageText(page, 'template'),
});

interface Preview {
  readonly items: readonly { readonly channel: string; readonly error?: object }[];
}

const previewMessageTool = routeTool<Preview>({
  name: 'preview_message',
  title: 'Preview a message',
  description:
    'Renders a saved message for one person, or for a person without tags, on one channel or on all: what the recipient sees, and what the provider would receive. Nothing is sent.',
  effect: 'reads',
  route: previewMessage,
  params: { appId: 'appId', messageId: 'id' },
  text: ({ items }) => {
    const wrong = items.filter(({ error }) => error !== undefined);
    const failing =
      wrong.length === 0 ? '' : ` It cannot be sent on ${channelsOf(wrong)}; error says why.`;
    const shown = items.filter((item) => !wrong.includes(item));
    return `The message was rendered on ${shown.length === 0 ? 'no channel' : channelsOf(shown)}.${failing} Nothing was sent.`;
  },
});

function channelsOf(items: Preview['items']): string {
  return [...new Set(items.map(({ channel }) => channel))].join(', ');
}

export const messageTools: readonly Tool[] = [
  sendTransactional,
  explainDelivery,
  createMessageTool,
  listMessagesTool,
  listTemplates,
  previewMessageTool,
];
