// Decides about sign-up forms.

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { newId } from '../../../engine/base/id.ts';
import { fault, notFound } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { tagKeyProblem } from '../../people/audience/tags.ts';
import { isChoiceTag } from '../../people/topics/choice-tag.ts';
import { withApp, withNamed } from '../../tenants/accounts/with-app.ts';
import type { FormRecord } from './form.ts';
import type { FormsMemory, FormsView } from './memory.ts';
import type { FormInput, FormsEntry, FormsProtocol } from './protocol.ts';
import { openForm } from './reads.ts';

export const formsDecisions: Decisions<FormsProtocol, FormsMemory> = {
  'form.create': (state, { key, input }, context) =>
    withApp(state, context, (app) => {
      if (app.forms.has(key))
        return refused(
          fault('duplicate', `key: the app already has a form "${key}"`, { field: 'key' }),
        );
      if (app.forms.size >= limits.formsMax)
        return refused(
          fault('limit_reached', `key: an app has at most ${limits.formsMax} forms`, {
            field: 'key',
          }),
        );
      const { owner, nowMs, rng } = context;
      const fresh: FormRecord = {
        id: newId('frm', owner, nowMs, rng),
        key,
        name: input.name,
        fields: [],
        topics: [],
        consent: input.consent,
        createdMs: nowMs,
        updatedMs: nowMs,
      };
      return save(app, fresh, input, context);
    }),

  'form.read': (state, { form }, context) =>
    withForm(state, form, context, (record) => accepted(record)),

  'form.update': (state, { form, key, input }, context) =>
    withForm(state, form, context, (record, app) => {
      if (key !== undefined && key !== record.key)
        return refused(fieldFault('key', 'cannot be changed: confirmations name the form by it'));
      return save(app, { ...record, updatedMs: context.nowMs }, input, context);
    }),

  'form.delete': (state, { form }, context) =>
    withForm(state, form, context, ({ key }) => {
      const entry: FormsEntry = { kind: 'form.deleted', owner: context.owner, key };
      return accepted(null, { entries: [entry] });
    }),

  'form.list': (state, _message, context) =>
    withApp(state, context, ({ forms }) => accepted([...forms.values()])),

  'form.page': (state, { id }, context) =>
    withApp(state, context, (app) => {
      const form = openForm(app, id);
      if (form === undefined) return refused(notFound('form'));
      const topics = form.topics.flatMap((key) => app.topics.get(key)?.name ?? []);
      return accepted({ form, topics });
    }),
};

function save(
  app: FormsView,
  before: FormRecord,
  input: FormInput,
  { owner, nowMs }: Context,
): Decision<FormRecord> {
  const { redirectUrl: oldUrl, archivedMs: wasArchived, ...rest } = before;
  const redirectUrl = input.redirectUrl === undefined ? oldUrl : (input.redirectUrl ?? undefined);
  const isArchived = input.archived ?? wasArchived !== undefined;
  const form: FormRecord = {
    ...rest,
    name: input.name ?? before.name,
    fields: input.fields ?? before.fields,
    topics: input.topics ?? before.topics,
    consent: input.consent ?? before.consent,
    ...(redirectUrl === undefined ? {} : { redirectUrl }),
    ...(isArchived ? { archivedMs: wasArchived ?? nowMs } : {}),
  };
  const wrong = fieldsFault(form) ?? topicsFault(app, form);
  if (wrong !== undefined) return refused(wrong);
  const entry: FormsEntry = { kind: 'form.saved', owner, form };
  return accepted(form, { entries: [entry] });
}

function fieldsFault({ fields }: FormRecord): Fault | undefined {
  const seen = new Set<string>();
  for (const [at, { tag }] of fields.entries()) {
    const place = `fields[${at}].tag`;
    const problem = tagKeyProblem(tag);
    if (problem !== undefined) return fieldFault(place, problem);
    if (isChoiceTag(tag)) return fieldFault(place, 'ask for topics in `topics`');
    if (seen.has(tag)) return fieldFault(place, 'another field has this tag');
    seen.add(tag);
  }
  return undefined;
}

function topicsFault({ topics: known }: FormsView, { topics }: FormRecord): Fault | undefined {
  const at = topics.findIndex((key) => !known.has(key));
  if (at < 0) return undefined;
  return fieldFault(`topics[${at}]`, `the app has no topic "${topics[at]?.slice(0, 64)}"`);
}

const withForm = withNamed('form', ({ forms }: FormsView, key: string) => forms.get(key));
