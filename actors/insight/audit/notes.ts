// What is noted of which entry, whoever caused it. Called before the entry is folded, so `state` is
// the state before. No secret and no address may get in: sealed settings are noted as set or not,
// credentials by fingerprint, and webhooks by origin, since their paths often contain tokens.
// Source: contract, section 2.

import type { Context, Entry, Message, Tell } from '../../../engine/actor/message.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { subscribers } from '../../../storage/tables/subscriber.ts';
import { suppressions } from '../../../storage/tables/suppression.ts';
import type { BulkEntry } from '../../audiences/bulk/protocol.ts';
import type { TemplatesEntry } from '../../content/templates/protocol.ts';
import type { CdpEntry } from '../../events/cdp/protocol.ts';
import { peopleAt } from '../../people/audience/endpoint-owner.ts';
import type { AudienceEntry, AudienceProtocol } from '../../people/audience/protocol.ts';
import type { IdentityEntry } from '../../people/identity/protocol.ts';
import type { CampaignsEntry } from '../../programs/campaigns/entries.ts';
import type { CampaignRecord } from '../../programs/campaigns/records.ts';
import type { JourneysEntry } from '../../programs/journeys/entries.ts';
import type { TransactionalEntry } from '../../sending/transactional/protocol.ts';
import { readableRow } from '../../sending/transactional/read-row.ts';
import type { AccountsEntry } from '../../tenants/accounts/protocol.ts';
import type { AppSettings, OrgRecord } from '../../tenants/accounts/records.ts';
import type { BillingEntry } from '../../tenants/billing/protocol.ts';
import type { ClientsEntry } from '../../tenants/clients/protocol.ts';
import type { MembersEntry } from '../../tenants/members/protocol.ts';
import { billingNotes } from './billing-notes.ts';
import type { AuditAction, AuditNote } from './protocol.ts';
import { stepText } from './step-text.ts';
import type { AuditMemory } from './view.ts';

/** Of a later house, which this one does not import. */
type DestinationEntry =
  | (Entry & {
      readonly kind: 'webhook.saved';
      readonly destination: {
        readonly type: string;
        readonly enabled: boolean;
        readonly disabledReason?: string;
        readonly events: readonly string[];
        readonly concurrency: number;
      };
    })
  | (Entry & { readonly kind: 'webhook.removed'; readonly type: string });

type NotedEntry =
  | AccountsEntry
  | AudienceEntry
  | BillingEntry
  | BulkEntry
  | CampaignsEntry
  | CdpEntry
  | ClientsEntry
  | DestinationEntry
  | IdentityEntry
  | JourneysEntry
  | MembersEntry
  | TemplatesEntry;

interface NoteText {
  readonly action: AuditAction;
  readonly target: string;
  readonly before?: object;
  readonly after?: object;
  /** Where the change itself says who made it. */
  readonly actor?: string;
}

type DoubtDecided = Message & AudienceProtocol['doubtful_opt_out.decide']['body'];

type NoteOf<Kind extends NotedEntry['kind']> = (
  state: AuditMemory,
  entry: Extract<NotedEntry, { readonly kind: Kind }>,
  context: Context,
  message: Message,
) => NoteText | undefined;

const notes: { readonly [Kind in NotedEntry['kind']]?: NoteOf<Kind> } = {
  'org.created': (_state, { org }) => ({
    action: 'org.created',
    target: org.id,
    after: { name: org.name },
  }),
  'org.changed': (state, { owner, org }) => {
    const before = state.orgs.get(owner)?.record;
    if (org.closedMs !== undefined)
      return { action: 'org.deleted', target: org.id, before: { name: org.name } };
    const isRenamed = before?.name !== org.name;
    const changed = difference(
      isRenamed ? { name: before?.name } : limitsOf(before),
      isRenamed ? { name: org.name } : limitsOf(org),
    );
    if (changed === undefined) return undefined;
    return { action: isRenamed ? 'org.renamed' : 'org.limits_changed', target: org.id, ...changed };
  },
  ...billingNotes,
  'org.branded': (state, { owner, branding }, _context, message) => {
    const org = state.orgs.get(owner);
    if (org === undefined || message.kind !== 'branding.patch') return undefined; // its parent's
    const changed = difference(
      { ...unsetBranding, ...org.branding.own },
      { ...unsetBranding, ...branding.own },
    );
    return changed && { action: 'branding.changed', target: org.record.id, ...changed };
  },
  'client.opened': (_state, { client: { id, name } }, _context, message) =>
    message.kind === 'client.open' // else found again after a restore
      ? { action: 'client.created', target: id, after: { name } }
      : undefined,
  'client.closed': (state, { owner, clientId }) => ({
    action: 'client.deleted',
    target: clientId,
    before: { name: state.orgs.get(owner)?.clients.get(clientId)?.name },
  }),
  'member.added': (_state, { member: { id, role } }) => ({
    action: 'member.added',
    target: id,
    after: { role },
  }),
  'member.role_changed': (state, { owner, memberId, role }) => {
    const was = state.orgs.get(owner)?.members.get(memberId)?.role;
    return (
      was && {
        action: 'member.role_changed',
        target: memberId,
        before: { role: was },
        after: { role },
      }
    );
  },
  'member.signed_in': (state, { owner, memberId }) =>
    state.orgs.get(owner)?.members.get(memberId)?.isOpen === true
      ? { action: 'member.accepted', target: memberId, actor: memberId }
      : undefined,
  'member.removed': (state, { owner, memberId }, _context, message) => {
    const member = state.orgs.get(owner)?.members.get(memberId);
    if (member === undefined) return undefined;
    const { role, isOpen } = member;
    const removed = { target: memberId, before: { role } };
    if (message.kind !== 'member.leave') return { action: 'member.removed', ...removed };
    const action = isOpen === true ? 'member.declined' : 'member.left';
    return { action, ...removed, actor: memberId };
  },
  'key.created': (_state, { key: { id, name, scopes, appId } }) => ({
    action: 'key.created',
    target: id,
    after: { name, scopes, ...(appId === null ? {} : { appId }) },
  }),
  'key.deleted': (state, { keyId }) => {
    const key = state.keys.get(keyId);
    if (key === undefined) return undefined;
    const { id, name, scopes } = key;
    return { action: 'key.deleted', target: id, before: { name, scopes } };
  },
  'app.created': (_state, { app: { id, name, timezone } }) => ({
    action: 'app.created',
    target: id,
    after: { name, timezone },
  }),
  'app.changed': (state, { owner, app: { id, name, timezone } }) => {
    const before = state.apps.get(owner)?.record;
    const was = { name: before?.name, timezone: before?.timezone };
    const changed = difference(was, { name, timezone });
    return changed && { action: 'app.changed', target: id, ...changed };
  },
  'app.deleted': (state, { owner }) => {
    const app = state.apps.get(owner)?.record;
    return app && { action: 'app.deleted', target: app.id, before: { name: app.name } };
  },
  'settings.changed': (state, { owner, settings }, _context, message) => {
    const app = state.apps.get(owner);
    if (app === undefined || message.kind !== 'settings.patch') return undefined; // sealed anew
    const changed = difference(plainSettings(app.settings), plainSettings(settings));
    const isSecretNew = settings.secret !== null && settings.secret !== app.settings.secret;
    const secret = isSecretNew ? { secret: 'replaced' } : {};
    if (changed === undefined && !isSecretNew) return undefined;
    const { before = {}, after = {} } = changed ?? {};
    return {
      action: 'settings.changed',
      target: app.record.id,
      before,
      after: { ...after, ...secret },
    };
  },
  'credential.stored': (state, { owner, credential }, _context, message) => {
    if (message.kind !== 'credential.put') return undefined; // made with its app, or sealed anew
    const { channel, fingerprint } = credential;
    const before = state.apps.get(owner)?.credentials.get(channel);
    const replaced = before === undefined ? {} : { before: { fingerprint: before.fingerprint } };
    return { action: 'credential.uploaded', target: channel, ...replaced, after: { fingerprint } };
  },
  'credential.deleted': (state, { owner, channel }) => {
    const fingerprint = state.apps.get(owner)?.credentials.get(channel)?.fingerprint;
    return { action: 'credential.removed', target: channel, before: { fingerprint } };
  },
  'email_domain.stored': (_state, { domain: { domain, selector } }, _context, message) =>
    message.kind === 'email_domain.add' // else sealed again
      ? { action: 'email_domain.added', target: domain, after: { selector } }
      : undefined,
  'email_domain.checked': (state, { owner, name, state: after, check }) => {
    const before = state.apps.get(owner)?.emailDomains.get(name)?.state;
    if (before === after || after === 'pending') return undefined;
    return {
      action: `email_domain.${after}`,
      target: name,
      before: { state: before },
      after: { state: after, problem: check.dkim.problem },
    };
  },
  'email_domain.deleted': (state, { owner, name }) => {
    const before = state.apps.get(owner)?.emailDomains.get(name)?.state;
    return { action: 'email_domain.deleted', target: name, before: { state: before } };
  },
  'identity.secret_changed': (state, { owner }, _context, message) =>
    message.kind === 'identity.put_secret'
      ? { action: 'identity_secret.created', target: state.apps.get(owner)?.record.id ?? '' }
      : undefined,
  'sessions.ended': (_state, { subscriberId }, _context, message) =>
    message.kind === 'subscriber.end_sessions' // else their own logout or login
      ? { action: 'sessions.ended', target: subscriberId }
      : undefined,
  'bulk.started': (_state, { change: { id, action, isDry, matched } }) => {
    if (isDry) return undefined;
    const { tags, suppress, delete: isErasure } = action;
    const names = tags && Object.keys(tags);
    const after = { matched, tags: names, suppress: suppress?.channels, delete: isErasure };
    return { action: 'subscribers.bulk_changed', target: id, after };
  },
  'cdp.key_changed': (_state, { keys }, _context, message) =>
    message.kind === 'cdp.configure'
      ? {
          action: 'integration.saved',
          target: 'cdp',
          after: { devicesFromTraits: keys.devicesFromTraits ?? true },
        }
      : { action: 'write_key.created', target: 'cdp' },
  'cdp.removed': () => ({ action: 'integration.removed', target: 'cdp' }),
  'webhook.saved': (_state, { destination }, _context, message) => {
    const { type: target, enabled, disabledReason, events, concurrency } = destination;
    const after = { enabled, disabledReason, events, concurrency };
    switch (message.kind) {
      case 'destination.put':
        return { action: 'integration.saved', target, after };
      case 'destination.rotate':
        return { action: 'integration.secret_replaced', target };
      case 'webhook.report':
        return { action: 'integration.disabled', target, after: { enabled, disabledReason } };
      default:
        return undefined; // sealed anew
    }
  },
  'webhook.removed': (_state, { type }) => ({ action: 'integration.removed', target: type }),
  'suppression.removed': (_state, { identityKey }, context, message) => {
    if (message.kind !== 'suppression.remove') return undefined; // their own START
    const row = context.documents.get(suppressions, [identityKey]);
    if (row === undefined) return undefined;
    const { identity, source, reason, scope = 'all', createdMs } = row;
    const before = {
      source,
      reason,
      scope,
      since: new Date(createdMs).toISOString(),
      subscriberIds: subscriberIdsAt(identityKey, context),
    };
    return { action: 'suppression.removed', target: identity, before };
  },
  'opt_out.settled': (state, { owner, ids: [id = ''] }, context, message) => {
    const doubt = state.apps.get(owner)?.doubts.withId(id);
    if (doubt === undefined || message.kind !== 'doubtful_opt_out.decide') return undefined;
    const { decision, scope = 'all' } = message as DoubtDecided;
    // Not the words, which would survive the person's erasure.
    const after = {
      decision,
      ...(decision === 'opt_out' ? { scope } : {}),
      subscriberIds: subscriberIdsAt(doubt.identityKey, context),
    };
    return { action: 'doubtful_opt_out.decided', target: doubt.channel, after };
  },
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
  'campaign.saved': (state, { owner, campaign }, _context, message) => {
    const before = state.apps.get(owner)?.campaigns.get(campaign.id);
    const action = before && (actionOfStates(before, campaign) ?? actionOnIt(message, before));
    if (before === undefined || action === undefined) return undefined;
    const changed = action === 'campaign.changed' ? { changed: membersOf(before, campaign) } : {};
    return {
      action,
      target: campaign.id,
      before: { name: before.name, state: before.state },
      after: { state: campaign.state, stateReason: campaign.stateReason, ...changed },
    };
  },
  'campaign.deleted': (state, { owner, id }) => {
    const campaign = state.apps.get(owner)?.campaigns.get(id);
    const before = { name: campaign?.name, state: campaign?.state };
    return { action: 'campaign.deleted', target: id, before };
  },
  'journey.saved': (state, { owner, journey, replaces }, _context, message) => {
    const before = state.apps.get(owner)?.journeys.get(journey.id)?.record;
    const wasActive = before?.active ?? false;
    if (message.kind === 'journey.correct' && wasActive) {
      const { step } = message as Message & { readonly step: string };
      return {
        action: 'journey.corrected',
        target: journey.id,
        before: { name: journey.name, ...stepText(before?.steps, step) },
        after: { step, ...stepText(journey.steps, step) },
      };
    }
    const { id: target, name } = journey;
    if (message.kind === 'journey.archive')
      return { action: 'journey.archived', target, before: { name } };
    if (message.kind === 'journey.unarchive')
      return { action: 'journey.unarchived', target, before: { name } };
    if (wasActive === journey.active) return undefined;
    return {
      action: journey.active ? 'journey.activated' : 'journey.paused',
      target,
      before: { name, active: wasActive },
      after: { active: journey.active, replaces, replacedBy: journey.replacedBy },
    };
  },
  'journey.deleted': (state, { owner, id }) => {
    const record = state.apps.get(owner)?.journeys.get(id)?.record;
    return { action: 'journey.deleted', target: id, before: { name: record?.name } };
  },
};

const unsetBranding = {
  productName: null,
  logoUrl: null,
  accentColor: null,
  hideServiceBranding: null,
};

/** The tells that write notes about a message; empty for nearly every message. */
export function notesOf(
  state: AuditMemory,
  message: Message,
  entries: readonly Entry[],
  context: Context,
): readonly Tell[] {
  const tells: Tell[] = [];
  const whole = redriveNote(message, entries) ?? erasureNote(message, entries);
  if (whole !== undefined) tell(context.owner, whole);
  for (const entry of entries) {
    const noteOf = notes[entry.kind as NotedEntry['kind']] as
      | ((
          state: AuditMemory,
          entry: Entry,
          context: Context,
          message: Message,
        ) => NoteText | undefined)
      | undefined;
    const note = noteOf?.(state, entry, context, message);
    if (note !== undefined) tell(entry.owner, note, entry);
  }
  return tells;

  function tell(owner: Ordinal, { before, after, actor, ...text }: NoteText, entry?: Entry): void {
    const app = state.apps.get(owner)?.record ?? appMade(entry);
    const org = app?.org ?? owner;
    const note: AuditNote = {
      ...text,
      ...(actor === undefined ? actorOf(state, message) : { actor }),
      atMs: context.nowMs,
      ...(app === undefined ? {} : { appId: app.id, appName: app.name }),
      ...(before === undefined ? {} : { before: withoutUndefined(before) }),
      ...(after === undefined ? {} : { after: withoutUndefined(after) }),
    };
    tells.push({ to: org, message: { kind: 'audit.note', by: -1, note } as Message });
  }
}

/** The actor, with the current name of their key, which may be deleted later. */
export function actorOf(
  state: Pick<AuditMemory, 'orgs' | 'keys'>,
  message: Message,
): { readonly actor: string; readonly actorName?: string } {
  const { actor = 'system', by } = message as Message & { actor?: string; by?: Ordinal };
  const keyIds = by === undefined ? undefined : state.orgs.get(by)?.keyIds;
  for (const keyId of keyIds ?? []) {
    const key = state.keys.get(keyId);
    if (key?.id === actor) return { actor, actorName: key.name };
  }
  return { actor };
}

/** By id, since an address in a note would survive the person's erasure. */
function subscriberIdsAt(identityKey: string, context: Context): readonly string[] {
  return peopleAt(identityKey, context).flatMap(
    (person) => readableRow(context.documents, subscribers, [person])?.id ?? [],
  );
}

function appMade(entry: Entry | undefined) {
  return entry?.kind === 'app.created'
    ? (entry as Extract<AccountsEntry, { kind: 'app.created' }>).app
    : undefined;
}

/** One note per redrive, for any number of sends. */
function redriveNote(message: Message, entries: readonly Entry[]): NoteText | undefined {
  if (message.kind !== 'dead_letter.redrive' || entries.length === 0) return undefined;
  const { reason, all } = message as Message & { reason?: string; all?: boolean };
  const sends = entries as readonly Extract<TransactionalEntry, { kind: 'send.redriven' }>[];
  const redriven = sends.reduce((sum, { targets }) => sum + targets.length, 0);
  const target = sends.length === 1 ? (sends[0]?.sendId ?? '') : 'dead_letters';
  return { action: 'dead_letters.redriven', target, after: { redriven, reason, all } };
}

/** One note per person, whoever was merged into them, and nothing of them. A restore notes none. */
function erasureNote(message: Message, entries: readonly Entry[]): NoteText | undefined {
  if (message.kind !== 'subscriber.erase' || !('actor' in message)) return undefined;
  const isErased = entries.some(({ kind }) => kind === 'subscriber.erased');
  return isErased ? { action: 'subscriber.erased', target: 'subscriber' } : undefined;
}

function actionOfStates(before: CampaignRecord, after: CampaignRecord): AuditAction | undefined {
  if (before.state === after.state) return undefined;
  switch (after.state) {
    case 'draft':
      return 'campaign.unscheduled';
    case 'scheduled':
    case 'sending':
      if (before.state === 'paused') return 'campaign.resumed';
      return before.state === 'draft' ? 'campaign.sent' : 'campaign.started';
    default:
      return `campaign.${after.state}`;
  }
}

/** What a call did to a campaign that stays in its state; changes of drafts are not noted. */
function actionOnIt({ kind }: Message, { state }: CampaignRecord): AuditAction | undefined {
  switch (kind) {
    case 'campaign.archive':
      return 'campaign.archived';
    case 'campaign.unarchive':
      return 'campaign.unarchived';
    case 'campaign.update':
      return state === 'draft' ? undefined : 'campaign.changed';
    default:
      return undefined;
  }
}

/** The names of the members that differ, without instants: filters may be long. */
function membersOf(before: object, after: object): readonly string[] {
  const now = difference(before, after)?.after ?? {};
  const former = difference(after, before)?.after ?? {};
  const names = new Set([...Object.keys(now), ...Object.keys(former)]);
  return [...names].filter((name) => !name.endsWith('Ms')).sort();
}

function limitsOf(org: OrgRecord | undefined): object {
  const { dailySendCap, rateLimits, emailAllowance, emailDomains = [] } = org ?? {};
  return { dailySendCap, rateLimits, emailAllowance, emailDomains };
}

function plainSettings(whole: AppSettings): object {
  const { secret, webhookUrl, goneBeforeMs: _derived, ...settings } = whole;
  return { ...settings, webhookUrl: originOf(webhookUrl), secret: secret === null ? null : 'set' };
}

function originOf(url: string | null): string | null {
  if (url === null) return null;
  const origin = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?([^/?#]*)/i.exec(url)?.[1];
  return origin === undefined ? '…' : `${url.slice(0, url.indexOf(':'))}://${origin}/…`;
}

/** The fields that differ; `undefined` if none do. */
function difference(
  before: object,
  after: object,
): { readonly before: object; readonly after: object } | undefined {
  const was: Record<string, unknown> = {};
  const is: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(after)) {
    const old = (before as Record<string, unknown>)[member];
    if (JSON.stringify(old) === JSON.stringify(value)) continue;
    was[member] = old;
    is[member] = value;
  }
  return Object.keys(is).length === 0 ? undefined : { before: was, after: is };
}

function withoutUndefined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}
