// The sign-up forms of an app.

import { limits } from '../../../actors/limits.ts';
import { isNamed } from '../../../actors/list-order.ts';
import type { FormsProtocol } from '../../../actors/sending/forms/protocol.ts';
import { pageByKey } from '../../call/answer/page.ts';
import { present } from '../../call/answer/present.ts';
import { Resource } from '../resource.ts';
import { formBody, formInput, formPatch, formSchema, formView } from './form-shape.ts';

const forms = new Resource({
  path: '/v1/apps/:appId/forms',
  params: { key: 'Form key.' },
  tag: 'Forms',
  noun: 'form',
  a: 'a form',
  schema: formSchema,
  view: formView,
  actor: (call) => call.to<FormsProtocol>(call.app()),
  named: (call) => ({ form: call.param('key') }),
});

export const createForm = forms.create({
  description: `A hosted page at \`/f/<id>\` that signs an email address up: plain HTML, which you can also copy into a page of yours, because a form may post to it from anywhere. Each sign-up waits for the confirmation by email. At most ${limits.formsMax} in an app.`,
  body: formBody,
  asks: 'form.create',
  says: ({ body }) => ({
    key: body.key,
    input: { ...formInput(body), name: body.name, consent: body.consent },
  }),
});

export const listForms = forms.list({
  answer: 'Forms, by time of creation. `q` searches their names and keys.',
  all: 'form.list',
  page: (all, { q, ...query }) =>
    pageByKey(
      all.filter(({ key, name }) => isNamed(name, q) || isNamed(key, q)),
      query,
    ),
});

export const readForm = forms.read({ asks: 'form.read' });

export const updateForm = forms.update({
  description:
    'Fields you send are replaced; `null` removes the redirect. What waits for its confirmation keeps the sentence that was agreed to.',
  body: formPatch,
  asks: 'form.update',
  says: ({ body }) => ({ input: formInput(body), ...present({ key: body.key }) }),
});

export const deleteForm = forms.remove({
  description:
    'The page of the form is gone. Sign-ups that wait for their confirmation can still be confirmed.',
  asks: 'form.delete',
});
