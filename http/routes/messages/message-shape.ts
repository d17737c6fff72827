// The wire shape of a saved message: content like any send's, with a name. It may start as a copy
// of a template. Source: contract, section 5.

import { z } from 'zod';
import type { MessageView } from '../../../actors/content/messages/protocol.ts';
import { contentEtag } from '../../../actors/content/saved/content-etag.ts';
import { contentFields, contentInputFields } from '../../../actors/content/shape/message-schema.ts';
import { present } from '../../call/answer/present.ts';
import { exampleEtag, exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import {
  belongsElsewhere,
  etagSchema,
  instant,
  instantSchema,
  nameSchema,
} from '../../call/schemas/schemas.ts';
import { templateFields } from '../message-templates/named-template.ts';
import { designSchema, nullableContentFields, writtenForSchema } from './content-body.ts';

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

export const messageBody = z
  .object({
    name: nameSchema.optional().describe('For your own use; recipients never see it.'),
    ...contentInputFields,
    design: designSchema.optional(),
    writtenFor: writtenForSchema.optional(),
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

export const messagePatch = z
  .object({
    name: nameSchema.nullish(),
    ...nullableContentFields,
    design: designSchema.nullish(),
    writtenFor: writtenForSchema.nullish(),
    templateName: onceMade,
    templateId: onceMade,
  })
  .meta({ examples: [{ body: 'Hello {{ first_name }}.', image: null }] });

export const messageSchema = z
  .object({
    id: z.string(),
    name: z.string().optional(),
    ...contentFields,
    design: designSchema.optional(),
    writtenFor: writtenForSchema.optional(),
    etag: etagSchema,
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
        etag: exampleEtag,
        createdAt: exampleInstant(),
        updatedAt: exampleInstant(),
      },
    ],
  });

export function messageView(message: MessageView) {
  const { id, name, content, design, writtenFor, createdMs, updatedMs } = message;
  return {
    id,
    ...present({ name }),
    ...content,
    ...present({ design, writtenFor: writtenFor && [...writtenFor] }),
    etag: contentEtag(message),
    createdAt: instant(createdMs),
    updatedAt: instant(updatedMs),
  };
}
