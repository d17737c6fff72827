// Message templates: copy saved under handles.

import type { Context } from '../../../engine/actor/message.ts';
import { templates } from '../../../storage/tables/template.ts';
import type { Area, Editable } from '../../area.ts';
import { type AppCheck, type CheckedApp, checkOf } from '../../area-check.ts';
import type { Notes } from '../../audit-note.ts';
import { contentEtag } from '../saved/content-etag.ts';
import { templatesApplies } from './apply.ts';
import { templatesDecisions } from './decide.ts';
import { findTemplate } from './find.ts';
import {
  type TemplatesApp,
  type TemplatesMemory,
  type TemplatesView,
  templatesOfApp,
} from './memory.ts';
import type { TemplatesEntry } from './protocol.ts';

/** What the audit log notes of templates. */
const templatesNotes: Notes<TemplatesEntry, unknown> = {
  'template.changed': (_state, { id, name, nameBefore }) =>
    nameBefore === undefined
      ? undefined
      : {
          action: 'template.renamed',
          target: id,
          before: { name: nameBefore },
          after: { name },
        },
  'template.deleted': (_state, { id, name }) => ({
    action: 'template.deleted',
    target: id,
    before: { name },
  }),
};

export const templatesArea = {
  name: 'templates',
  app: templatesOfApp,
  decide: () => templatesDecisions,
  apply: templatesApplies,
  silent: ['template.created', 'template.changed', 'template.deleted'],
  edits: {
    'template.update': templateOf,
  },
  ends: {
    'template.delete': templateOf,
  },
  notes: templatesNotes,
  check: checkTemplates,
  whenDiskIsFull: ['template.read', 'template.list', 'template.delete'],
  stored: { tables: [['content', templates]] },
  tables: [templates],
} as const satisfies Area<never, TemplatesMemory, TemplatesView, object>;

/** What counts as a change of a template for those who edit it: all that they wrote. */
function templateOf(
  { apps }: TemplatesMemory,
  { template }: { readonly template: string },
  context: Context,
): Editable | undefined {
  const app = apps.get(context.owner);
  const row = app && findTemplate(app, template, context);
  return row && { key: row.id, etag: contentEtag(row), changedMs: row.updatedMs };
}

/** Checks the handles of message templates against their records. */
function checkTemplates({ templates: handles }: TemplatesApp, { problem }: CheckedApp): AppCheck {
  let count = 0;
  return {
    rows: [
      checkOf(templates, ({ id, name }, key) => {
        count++;
        if (key[0] !== id) problem(`: the template ${id} is stored under ${String(key[0])}`);
        const known = handles.get(name);
        if (known !== id)
          problem(
            `: the handle of ${id} points ${known === undefined ? 'nowhere' : `to ${known}`}`,
          );
      }),
    ],
    end: () => {
      if (count !== handles.size)
        problem(`: memory has ${handles.size} template handles, but there are ${count} records`);
    },
  };
}
