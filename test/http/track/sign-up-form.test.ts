// What a form's body says: its fields by their own names too, and the field that programs fill in.

import t from 'tap';
import type { FormField, FormRecord } from '../../../actors/sending/forms/form.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import { hostedWords } from '../../../http/track/hosted-words.ts';
import { answersOf, formHtml, nothingTyped } from '../../../http/track/sign-up-form.ts';

const nowMs = 1_790_000_000_000 as Millis;
const asks = (...tags: string[]): FormRecord => ({
  id: 'frm_1',
  key: 'site',
  name: 'News',
  fields: tags.map((tag): FormField => ({ tag, label: tag, type: 'text', required: false })),
  topics: [],
  consent: 'Yes.',
  createdMs: nowMs,
  updatedMs: nowMs,
});
const sent = (form: FormRecord, values: Record<string, string>) =>
  answersOf(form, Buffer.from(new URLSearchParams(values).toString()));
const person = { email: 'ada@example.com', consent: 'yes' };

t.test('a program that fills in what nobody sees is caught', async (t) => {
  t.equal(sent(asks('city'), { ...person, website: 'x' }).isTrapped, true);
  t.equal(sent(asks('city'), person).isTrapped, false);
});

t.test('a form that asks for the tag of that name takes the answer', async (t) => {
  for (const tags of [['website'], ['website', 'homepage']]) {
    const form = asks(...tags);
    const values = Object.fromEntries(tags.map((tag) => [tag, 'https://example.com']));
    t.match(sent(form, { ...person, ...values }), { isTrapped: false, tags: values });
    const html = formHtml({ form, topics: [] }, nothingTyped, hostedWords([]));
    const [, trap = ''] =
      /aria-hidden="true">Website<input type="text" name="([^"]+)"/.exec(html) ?? [];
    t.equal(sent(form, { ...person, ...values, [trap]: 'x' }).isTrapped, true, trap);
  }
});
