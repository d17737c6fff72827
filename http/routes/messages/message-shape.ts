// What a saved message is on the wire: content like that of any send, under a name of its own. Content is judged here as
// far as one call carries it; what a message needs as a whole is its actor's to say, once a change is merged in.
// Source: contract, section 5.

import { z } from 'zod';
import { acceptContent } from '../../../actors/content/accept-content.ts';
import { kakaoTemplateFault } from '../../../actors/content/kakao-template.ts';
import {
  type ContentInput,
  contentFields,
  type MessageContent,
} from '../../../actors/content/message-schema.ts';
import { whatsappTemplateFault } from '../../../actors/content/whatsapp-template.ts';
import type {
  MessageChange,
  MessageInput,
  MessageView,
} from '../../../actors/messages/protocol.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { instant } from '../../call.ts';
import { exampleIds, exampleInstant } from '../../example-ids.ts';
import { present } from '../../present.ts';
import { instantSchema, nameSchema } from '../../schemas.ts';

const noTemplates = z
  .unknown()
  .refine((value) => value == null, 'message templates are not there yet; send the content itself')
  .optional()
  .describe('Refused: message templates are not there yet.');
const template = { templateName: noTemplates, templateId: noTemplates };

const contentNames = Object.keys(contentFields) as (keyof typeof contentFields)[];

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
    name: nameSchema.optional().describe('For you; nobody who gets the message sees it.'),
    ...contentFields,
    ...template,
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
    ],
  });

/** The body that changes one. */
export const messagePatch = z
  .object({ name: nameSchema.nullish(), ...nullable(contentFields), ...template })
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
  return { content: judged(body), ...present({ name: body.name }) };
}

/** A change of a message: what is `null` goes. Throws the first fault of the members given. */
export function messageChange(body: z.output<typeof messagePatch>): MessageChange {
  const given = Object.entries(body).filter(([, value]) => value !== null);
  const removed = (['name', ...contentNames] as const).filter((name) => body[name] === null);
  // Without its nulls a patch is content: the two shapes have the same members.
  const content = judged(Object.fromEntries(given) as ContentInput);
  return { content, removed, ...present({ name: body.name ?? undefined }) };
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

function judged(input: ContentInput): MessageContent {
  const accepted = acceptContent(input, 'marketing');
  if ('fault' in accepted) throw new FaultError(accepted.fault);
  const { payload } = accepted.content;
  const wrong = whatsappTemplateFault(payload) ?? kakaoTemplateFault(payload);
  if (wrong !== undefined) throw new FaultError(wrong);
  return accepted.content;
}

/** The same members, each of which may be `null`. */
function nullable<Shape extends z.ZodRawShape>(shape: Shape) {
  const members = Object.entries(shape).map(([name, member]) => {
    const schema = member as z.ZodType;
    return [name, schema.nullable().describe(schema.description ?? '')];
  });
  return Object.fromEntries(members) as { [K in keyof Shape]: z.ZodNullable<Shape[K]> };
}
