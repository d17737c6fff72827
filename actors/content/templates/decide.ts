// Decides about message templates, by the same rules of content as messages. A template is never in
// use, because its users take copies: it may always be changed and deleted. Source: specification,
// "Message template"; contract, section 5.

import { accepted, type Context, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { newId, parseId } from '../../../engine/base/id.ts';
import { templates } from '../../../storage/tables/template.ts';
import { fault } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { cursorOf } from '../../list-order.ts';
import type { CountedPage } from '../../people/audience/protocol.ts';
import { withApp, withNamed } from '../../tenants/accounts/with-app.ts';
import { contentPage } from '../saved/content-page.ts';
import { changedContent, changedMember, contentFault } from '../saved/whole-content.ts';
import { findTemplate } from './find.ts';
import type { TemplatesMemory, TemplatesView } from './memory.ts';
import { optInTemplateFault } from './opt-in-template.ts';
import type { TemplatesEntry, TemplatesProtocol, TemplateView } from './protocol.ts';

export const templatesDecisions: Decisions<TemplatesProtocol, TemplatesMemory> = {
  'template.create': (state, { name, content, design }, context) =>
    withApp(state, context, (app) => {
      if (app.templates.size >= limits.templatesMax)
        return refused(
          fault('limit_reached', `an app has at most ${limits.templatesMax} message templates`),
        );
      const { owner, nowMs } = context;
      const wrong =
        handleFault(app, name) ??
        contentFault(content, 'a template') ??
        optInTemplateFault(name, content, nowMs);
      if (wrong !== undefined) return refused(wrong);
      const id = newId('tpl', owner, nowMs, context.rng);
      const base = { id, name, content, createdMs: nowMs, updatedMs: nowMs };
      const row: TemplateView = design === undefined ? base : { ...base, design };
      const entry: TemplatesEntry = { kind: 'template.created', owner, id, name };
      const documents = [{ table: templates, key: [id], value: row }];
      return accepted(row, { entries: [entry], documents });
    }),

  'template.read': (state, { template }, context) =>
    withTemplateOf(state, template, context, (row) => accepted(row)),

  'template.update': (state, { template, change }, context) =>
    withTemplateOf(state, template, context, (before, app) => {
      const { id, name: nameBefore } = before;
      const { owner, nowMs: atMs } = context;
      const { name = nameBefore } = change;
      const isRenamed = name !== nameBefore;
      const content = changedContent(before.content, change);
      const { design: oldDesign, ...rest } = before;
      const design = changedMember(oldDesign, change.design, change.removed.includes('design'));
      const conflict = isRenamed ? handleFault(app, name) : undefined;
      const wrong =
        conflict ?? contentFault(content, 'a template') ?? optInTemplateFault(name, content, atMs);
      if (wrong !== undefined) return refused(wrong);
      const base = { ...rest, name, content, updatedMs: atMs };
      const row: TemplateView = design === undefined ? base : { ...base, design };
      const documents = [{ table: templates, key: [id], value: row }];
      const noted = { kind: 'template.changed', owner, id, name } as const;
      const entry: TemplatesEntry = isRenamed ? { ...noted, nameBefore } : noted;
      return accepted(row, { entries: [entry], documents });
    }),

  'template.delete': (state, { template }, context) =>
    withTemplateOf(state, template, context, ({ id, name }) => {
      const entry: TemplatesEntry = { kind: 'template.deleted', owner: context.owner, id, name };
      return accepted(null, {
        entries: [entry],
        documents: [{ table: templates, key: [id], value: undefined }],
      });
    }),

  'template.list': (state, asked, context) =>
    withApp(state, context, (app) => {
      const { order = 'oldest', cursor } = asked;
      const after = cursor === undefined ? undefined : cursorOf(order, cursor);
      if (cursor !== undefined && (after === undefined || parseId('tpl', after) === undefined))
        return refused(fieldFault('cursor', 'invalid cursor for this list'));
      const page = contentPage(templates, asked, after, app.templates.size, context.documents);
      return accepted(page as CountedPage<TemplateView>);
    }),
};

function handleFault({ templates: handles }: TemplatesView, name: string): Fault | undefined {
  if (!handles.has(name)) return undefined;
  return fault('duplicate', `name: the app already has a template "${name}"`, { field: 'name' });
}

const withTemplateOf = withNamed(
  'template',
  (app: TemplatesView, named: string, context: Context) => findTemplate(app, named, context),
);
