// What a saved message is on the wire: content like that of any send, under a name of its own. It
// may start from a template, whose content is copied then; afterwards the message is its own.
// Source: contract, section 5.

import { z } from 'zod';
import { contentFields } from '../../../actors/content/message-schema.ts';
import type {
  MessageChange,
  MessageInput,
  MessageView,
} from '../../../actors/content/messages/protocol.ts';
import { instant } from '../../call.ts';
import { exampleIds, exampleInstant } from '../../example-ids.ts';
import { present } from '../../present.ts';
import { instantSchema, nameSchema } from '../../schemas.ts';
import { templateFields } from '../message-templates/named-template.ts';
import {
  belongsElsewhere,
  judgedChange,
  judgedContent,
  nullableContentFields,
} from './content-body.ts';

const onceMade = belongsElsewhere(
  'templates can only be used when a message is created; send the content itself',
);

const exampleContent = {
  title: 'New in {{ city | default: "your city" }}',
  body: 'Hello {{ first_name }}, come and have a look.',
  deepLink: 'shop://new',
  buttons: [{ id: 'look', label: 'Look', url: 'https://shop.example/new' }],
  localizations: { de: { title: 'Neu bei uns', body: 'Hallo {{ first_name }}, schau vorbei.' } },
};

/** The body that makes a message. */
export const messageBody = z
  .object({
    name: nameSchema.optional().describe('For your own use; recipients never see it.'),
    ...contentFields,
    ...templateFields,
  })
  .meta({
    examples: [
      { name: 'Novelties', ...exampleContent },
      {
        name: 'Order shipped',
        payload: {
          whatsapp: {
            templateName: 'order_shipped',
            languageCode: 'en_US',
            bodyParams: ['{{ first_name }}'],
          },
        },
      },
      { name: 'Shipped, in August', templateId: exampleIds.template, deepLink: 'shop://august' },
    ],
  });

/** The body that changes one. */
export const messagePatch = z
  .object({
    name: nameSchema.nullish(),
    ...nullableContentFields,
    templateName: onceMade,
    templateId: onceMade,
  })
  .meta({ examples: [{ body: 'Hello {{ first_name }}.', image: null }] });

/** A message as every answer shows it. */
export const messageSchema = z
  .object({
    id: z.string(),
    name: z.string().optional(),
    ...contentFields,
    createdAt: instantSchema,
    updatedAt: instantSchema,
  })
  .meta({
    id: 'Message',
    examples: [
      {
        id: exampleIds.message,
        name: 'Novelties',
        ...exampleContent,
        createdAt: exampleInstant(),
        updatedAt: exampleInstant(),
      },
    ],
  });

/** A message to be made. Throws the first fault of its content. */
export function messageInput(body: z.output<typeof messageBody>): MessageInput {
  return { content: judgedContent(body), ...present({ name: body.name }) };
}

/** A change of a message: what is `null` goes. Throws the first fault of the members given. */
export function messageChange(body: z.output<typeof messagePatch>): MessageChange {
  const { content, removed } = judgedChange(body);
  const gone = body.name === null ? (['name', ...removed] as const) : removed;
  return { content, removed: gone, ...present({ name: body.name ?? undefined }) };
}

/** A message as it goes out. */
export function messageView({ id, name, content, createdMs, updatedMs }: MessageView) {
  return {
    id,
    ...present({ name }),
    ...content,
    createdAt: instant(createdMs),
    updatedAt: instant(updatedMs),
  };
}
