// The wire shape of a message template: a handle, and content like a message's. Source:
// specification, "Message template"; contract, section 5.

import { z } from 'zod';
import { contentEtag } from '../../../actors/content/saved/content-etag.ts';
import { contentFields, contentInputFields } from '../../../actors/content/shape/message-schema.ts';
import type { TemplateView } from '../../../actors/content/templates/protocol.ts';
import { limits } from '../../../actors/limits.ts';
import { parseId } from '../../../engine/base/id.ts';
import { exampleEtag, exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import { etagSchema, instant, instantSchema } from '../../call/schemas/schemas.ts';
import { designSchema, nullableContentFields } from '../messages/content-body.ts';
import { handleSchema } from './named-template.ts';

const handle = handleSchema
  .refine((name) => parseId('tpl', name) === undefined, 'looks like an id; choose another name')
  .describe(
    `The handle: 1 to ${limits.templateNameCharsMax} letters, digits, _ . or -. Unique per app, case-sensitive.`,
  );

export const templateParams = { idOrName: 'Template id, or its handle.' };

const example = {
  name: 'order-shipped',
  title: 'Order {{ order_id }} is on its way',
  body: 'Hello {{ first_name | default: "there" }}, your parcel is on its way.',
  deepLink: 'shop://orders',
  localizations: {
    de: { title: 'Bestellung {{ order_id }} ist unterwegs', body: 'Dein Paket ist unterwegs.' },
  },
};

export const templateBody = z
  .object({ name: handle, ...contentInputFields, design: designSchema.optional() })
  .meta({ examples: [example] });

export const templatePatch = z
  .object({
    name: handle.optional().describe('A new handle. Requests that use the old one get a 404.'),
    ...nullableContentFields,
    design: designSchema.nullish(),
  })
  .meta({ examples: [{ body: 'Hello {{ first_name }}.', image: null }] });

export const templateSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    ...contentFields,
    design: designSchema.optional(),
    etag: etagSchema,
    createdAt: instantSchema,
    updatedAt: instantSchema,
  })
  .meta({
    id: 'MessageTemplate',
    examples: [
      {
        id: exampleIds.template,
        ...example,
        etag: exampleEtag,
        createdAt: exampleInstant(),
        updatedAt: exampleInstant(),
      },
    ],
  });

export function templateView(template: TemplateView) {
  const { id, name, content, design, createdMs, updatedMs } = template;
  return {
    id,
    name,
    ...content,
    ...(design === undefined ? {} : { design }),
    etag: contentEtag(template),
    createdAt: instant(createdMs),
    updatedAt: instant(updatedMs),
  };
}
