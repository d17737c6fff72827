// Who and what a note is about, by name. A note keeps the names of its time, but no address, so a
// member's is the one they have now. All look-ups are by key, in memory, and within the note's org.

import type { Ordinal } from '../../../engine/base/brand.ts';
import { parseId } from '../../../engine/base/id.ts';
import type { AuditNoteRow } from '../../../storage/tables/audit-note.ts';
import type { AuditObject } from '../../audit-actions.ts';
import type { AuditMemory, AuditOrgView, AuditView } from './memory.ts';
import type { NamedNote } from './protocol.ts';

interface Target {
  readonly name?: string | undefined;
  readonly exists?: boolean;
}

/** Names the notes of an org. What a page looks up more than once is looked up once. */
export function namesFor(
  state: AuditMemory,
  org: AuditOrgView,
  owner: Ordinal,
): (note: AuditNoteRow) => NamedNote {
  const keysOfOrg = keysById(state, org);
  return (note) => {
    const app = appOf(state, owner, note.appId);
    const actorName = note.actorName ?? org.members.get(note.actor)?.email;
    const appName = note.appName ?? app?.record.name;
    const { name, exists } = targetOf(note, org, app, keysOfOrg);
    const targetName = nameIn(note.after) ?? nameIn(note.before) ?? name;
    return {
      ...note,
      ...(actorName === undefined ? {} : { actorName }),
      ...(appName === undefined ? {} : { appName }),
      ...(targetName === undefined ? {} : { targetName }),
      ...(exists === undefined ? {} : { targetExists: exists }),
    };
  };
}

/** Only an app of this org: a note of a deleted one may have an ordinal that is taken again. */
function appOf(state: AuditMemory, owner: Ordinal, id: string | undefined): AuditView | undefined {
  const parts = id === undefined ? undefined : parseId('app', id);
  const app = parts && state.apps.get(parts.ordinal);
  return app?.record.id === id && app?.record.org === owner ? app : undefined;
}

function targetOf(
  note: AuditNoteRow,
  org: AuditOrgView,
  app: AuditView | undefined,
  keysOfOrg: () => ReadonlySet<string>,
): Target {
  const { action, target, appId, appName } = note;
  if (target === appId) return { name: appName ?? app?.record.name, exists: app !== undefined };
  if (target === org.record.id)
    return { name: org.record.name, exists: org.record.closedMs === undefined };
  const object = action.slice(0, action.indexOf('.')) as AuditObject;
  return targetsOf[object]?.(note, { org, app, keysOfOrg }) ?? {};
}

interface Known {
  readonly org: AuditOrgView;
  readonly app: AuditView | undefined;
  readonly keysOfOrg: () => ReadonlySet<string>;
}

/** `undefined` for what memory does not name, or what the note names itself. */
const targetsOf: Readonly<
  Record<AuditObject, ((note: AuditNoteRow, known: Known) => Target) | undefined>
> = {
  org: undefined,
  branding: undefined,
  client: ({ target }, { org }) => ({ exists: org.clients.has(target) }),
  member: ({ target }, { org: { members } }) => ({
    name: members.get(target)?.email,
    exists: members.has(target),
  }),
  key: ({ target }, { keysOfOrg }) => ({ exists: keysOfOrg().has(target) }),
  app: undefined,
  settings: undefined,
  credential: ({ target }, { app }) => ({ exists: app?.credentials.has(target) ?? false }),
  email_domain: ({ target }, { app }) => ({ exists: app?.emailDomains.has(target) ?? false }),
  warm_up: ({ target }, { app }) => ({ exists: app?.warmUps.get(target) !== undefined }),
  identity_secret: undefined,
  write_key: undefined,
  integration: undefined,
  sessions: undefined,
  subscriber: undefined,
  subscribers: undefined,
  relay: ({ target }, { app, org }) => {
    const relay = app?.relays.get(target) ?? org.relays.get(target);
    return { name: relay?.name, exists: relay !== undefined };
  },
  form: ({ target }, { app }) => {
    const form = app?.forms.get(target);
    return { name: form?.name, exists: form !== undefined };
  },
  topic: ({ target }, { app }) => {
    const topic = app?.topics.get(target);
    return { name: topic?.name, exists: topic !== undefined };
  },
  suppression: undefined,
  doubtful_opt_out: undefined,
  template: (note, { app }) => handleOf(note, app),
  campaign: ({ target }, { app }) => {
    const campaign = app?.campaigns.get(target);
    return { name: campaign?.name, exists: campaign !== undefined };
  },
  journey: ({ target }, { app }) => {
    const journey = app?.journeys.get(target)?.record;
    return { name: journey?.name, exists: journey !== undefined };
  },
  dead_letters: undefined,
  billing: undefined,
  invoice: undefined,
};

/** Memory knows templates by their handle alone: one that was renamed again cannot be told. */
function handleOf({ action, target, after }: AuditNoteRow, app: AuditView | undefined): Target {
  if (action === 'template.deleted' || app === undefined) return { exists: false };
  return app.templates.get(nameIn(after) ?? '') === target ? { exists: true } : {};
}

function keysById(state: AuditMemory, org: AuditOrgView): () => ReadonlySet<string> {
  let ids: ReadonlySet<string> | undefined;
  return () => {
    ids ??= new Set([...org.keyIds].flatMap((keyId) => state.keys.get(keyId)?.id ?? []));
    return ids;
  };
}

/** The member `name`, or an invoice's `number`. */
function nameIn(values: object | undefined): string | undefined {
  const { name, number } = (values ?? {}) as { name?: unknown; number?: unknown };
  if (typeof name === 'string') return name;
  return typeof number === 'string' ? number : undefined;
}
