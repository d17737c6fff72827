// Message templates: copy saved under handles.

import { templates } from '../../../storage/tables/template.ts';
import type { Area } from '../../area.ts';
import { templatesApplies } from './apply.ts';
import { checkTemplates } from './check.ts';
import { templatesDecisions } from './decide.ts';
import { templateEdits, templateEnds } from './edits.ts';
import { type TemplatesMemory, type TemplatesView, templatesOfApp } from './memory.ts';
import { templatesNotes } from './notes.ts';

export const templatesArea = {
  name: 'templates',
  app: templatesOfApp,
  decide: () => templatesDecisions,
  apply: templatesApplies,
  silent: ['template.created', 'template.changed', 'template.deleted'],
  edits: templateEdits,
  ends: templateEnds,
  notes: templatesNotes,
  check: checkTemplates,
  whenDiskIsFull: ['template.read', 'template.list', 'template.delete'],
  stored: { tables: [['content', templates]] },
  tables: [templates],
} as const satisfies Area<never, TemplatesMemory, TemplatesView, object>;
