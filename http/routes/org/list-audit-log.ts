// Lists who changed what in the org and its apps, and when.

import { z } from 'zod';
import { auditActions } from '../../../actors/audit-actions.ts';
import type { AuditProtocol, NamedNote } from '../../../actors/insight/audit/protocol.ts';
import { limits } from '../../../actors/limits.ts';
import { dayMs } from '../../../engine/base/brand.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import {
  instant,
  instantInput,
  instantSchema,
  pageQuery,
  pageWithExample,
} from '../../call/schemas/schemas.ts';
import { requireOrgKey } from '../org-key.ts';

const noteSchema = z
  .object({
    id: z.string(),
    at: instantSchema,
    actor: z
      .string()
      .describe(
        'Id of the API key that made the change, or of a member for a change in the dashboard; `operator` for the operator, `system` for changes nobody requested, such as a campaign that completed.',
      ),
    actorName: z
      .string()
      .nullable()
      .describe(
        "The key's name at the time. For a member, the email address; `null` once they are removed.",
      ),
    action: z.enum(auditActions),
    target: z
      .string()
      .describe('Id of the changed object; for a credential or an integration, its name.'),
    targetName: z
      .string()
      .nullable()
      .describe(
        "The object's name at the time, or its name now if the entry has none: a campaign's name, a key's, a member's email address, an invoice's number. `null` for an object without a name, or one that is gone and left none.",
      ),
    targetExists: z
      .boolean()
      .nullable()
      .describe('Whether the object exists now; `null` where the log cannot tell.'),
    appId: z.string().nullable().describe('`null` for changes to the whole org.'),
    appName: z
      .string()
      .nullable()
      .describe("The app's name at the time, or its name now if the entry has none."),
    before: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('The previous values; never a secret.'),
    after: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({
    id: 'AuditNote',
    examples: [
      {
        id: exampleIds.auditNote,
        at: exampleInstant(),
        actor: exampleIds.key,
        actorName: 'Shop backend',
        action: 'template.renamed',
        target: exampleIds.template,
        targetName: 'parcel-left',
        targetExists: true,
        appId: exampleIds.app,
        appName: 'Shop',
        before: { name: 'order-shipped' },
        after: { name: 'parcel-left' },
      },
    ],
  });

export const listAuditLog = route({
  method: 'GET',
  path: '/v1/org/audit-log',
  summary: 'List the audit log',
  description: `Who changed what, and when, newest first: keys, apps, settings, credentials, sender domains, limits, template handles, campaign and journey states, redrives, removed opt-outs. Kept for ${limits.auditKeptMs / dayMs} days, at most the newest ${limits.auditNotesMax.toLocaleString('en')} entries. With a filter, a page may have fewer than \`limit\` items; only \`nextCursor: null\` marks the end.`,
  tag: 'Org',
  access: key('admin'),
  reads: ['audit-entry'],
  query: z.object({
    appId: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe('Only entries of this app, even if it was deleted.'),
    actor: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe('Only entries by this actor: the id of a key or a member, `operator` or `system`.'),
    action: z.enum(auditActions).optional(),
    target: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .describe(
        'Only entries about this object: its id, or the name of a credential, domain or integration.',
      ),
    from: instantInput.optional().describe('Only entries at or after this time.'),
    to: instantInput.optional().describe('Only entries before this time.'),
    ...pageQuery,
  }),
  responses: {
    200: { description: 'Entries, newest first.', schema: pageWithExample(noteSchema) },
  },
  async handle(call) {
    requireOrgKey(call, 'the audit log is', 'read');
    const { from: fromMs, to: toMs, ...filters } = call.query;
    const { items, nextCursor } = await call
      .to<AuditProtocol>(call.org)
      .ask('audit.list', present({ ...filters, fromMs, toMs }));
    return { status: 200, body: { items: items.map(noteView), nextCursor } };
  },
});

function noteView(note: NamedNote) {
  const { id, atMs, actor, action, target, before, after } = note;
  const { actorName = null, targetName = null, targetExists = null } = note;
  const { appId = null, appName = null } = note;
  return {
    id,
    at: instant(atMs),
    actor,
    actorName,
    action,
    target,
    targetName,
    targetExists,
    appId,
    appName,
    before,
    after,
  };
}
