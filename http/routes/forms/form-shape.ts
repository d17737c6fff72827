// The wire shape of a sign-up form.

import { z } from 'zod';
import { limits } from '../../../actors/limits.ts';
import { type FormRecord, formEtag, formFieldTypes } from '../../../actors/sending/forms/form.ts';
import type { FormInput } from '../../../actors/sending/forms/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { exampleEtag, exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import { etagSchema, instant, instantSchema, nameSchema } from '../../call/schemas/schemas.ts';

const formKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'expected 1 to 64 letters, digits, _ or -')
  .describe('Unique per app; cannot be changed. Confirmations name the form by it.');

const fieldSchema = z.object({
  tag: z.string().min(1).max(limits.tagKeyCharsMax).describe('The tag that the answer becomes.'),
  label: z.string().trim().min(1).max(200),
  type: z
    .enum(formFieldTypes)
    .describe('`text`: the answer as a string. `checkbox`: `true` if it is checked.'),
  required: z.boolean().default(false),
});

const redirectSchema = z
  .string()
  .max(2_048)
  .refine(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    'expected an http: or https: URL',
  );

const members = {
  fields: z.array(fieldSchema).max(limits.formFieldsMax).optional(),
  topics: z
    .array(z.string())
    .max(limits.optInTopicsMax)
    .optional()
    .describe('Keys of topics that the confirmation chooses.'),
  redirectUrl: redirectSchema
    .nullish()
    .describe('Where the browser goes after the form. Without it a page says to check the mail.'),
  archived: z.boolean().optional().describe('An archived form takes no sign-ups.'),
};

const consent = z
  .string()
  .trim()
  .min(1)
  .max(1_000)
  .describe('The sentence that people agree to; kept with each confirmation.');
const name = nameSchema.describe('The heading of the page.');

const exampleForm = {
  key: 'newsletter',
  name: 'Our newsletter',
  fields: [{ tag: 'first_name', label: 'First name', type: 'text' as const, required: false }],
  topics: ['news'],
  consent: 'I want news about products by email. I can unsubscribe at any time.',
};

export const formBody = z
  .object({ key: formKey, name, consent, ...members })
  .meta({ examples: [exampleForm] });

export const formPatch = z
  .object({
    key: formKey.optional(),
    name: name.optional(),
    consent: consent.optional(),
    ...members,
  })
  .meta({ examples: [{ redirectUrl: 'https://example.com/thanks' }] });

export const formSchema = z
  .object({
    id: z.string(),
    key: z.string(),
    name: z.string(),
    fields: z.array(
      z.object({
        tag: z.string(),
        label: z.string(),
        type: z.enum(formFieldTypes),
        required: z.boolean(),
      }),
    ),
    topics: z.array(z.string()),
    consent: z.string(),
    redirectUrl: z.string().nullable(),
    path: z.string().describe('The path of its page on this server.'),
    archivedAt: instantSchema.nullable(),
    etag: etagSchema,
    createdAt: instantSchema,
    updatedAt: instantSchema,
  })
  .meta({
    id: 'Form',
    examples: [
      {
        id: exampleIds.form,
        ...exampleForm,
        redirectUrl: null,
        path: `/f/${exampleIds.form}`,
        archivedAt: null,
        etag: exampleEtag,
        createdAt: exampleInstant(),
        updatedAt: exampleInstant(),
      },
    ],
  });

export function formInput(body: z.output<typeof formPatch>): FormInput {
  const { name, fields, topics, consent, redirectUrl, archived } = body;
  return present({ name, fields, topics, consent, redirectUrl, archived });
}

export function formView(form: FormRecord) {
  const { id, key, name, fields, topics, consent, redirectUrl = null, archivedMs } = form;
  return {
    id,
    key,
    name,
    fields: fields.map((field) => ({ ...field })),
    topics: [...topics],
    consent,
    redirectUrl,
    path: `/f/${id}`,
    archivedAt: archivedMs === undefined ? null : instant(archivedMs),
    etag: formEtag(form),
    createdAt: instant(form.createdMs),
    updatedAt: instant(form.updatedMs),
  };
}
