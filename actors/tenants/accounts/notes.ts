// What the audit log notes of orgs, keys, apps, settings, credentials and sender domains. Sealed
// settings are noted as set or not, credentials by fingerprint, and webhooks by origin, since their
// paths often contain tokens.

import type { Notes } from '../../audit-note.ts';
import { difference } from '../../difference.ts';
import type { AccountsMemory } from './memory.ts';
import type { AccountsEntry } from './protocol.ts';
import type { AppSettings, OrgRecord } from './records.ts';

export const accountsNotes: Notes<AccountsEntry, AccountsMemory> = {
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
};

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
