// Folds orgs, keys, apps, settings and credentials.

import type { Applies } from '../../../engine/actor/protocol.ts';
import { resolvedBranding } from './branding.ts';
import type { AccountsMemory } from './memory.ts';
import type { AccountsEntry } from './protocol.ts';
import { noBranding, wholeSettings } from './records.ts';

export const accountsApplies: Applies<AccountsEntry, AccountsMemory> = {
  'org.created': (state, { org }) => {
    state.addOrg(org);
  },
  'org.changed': (state, { owner, org }) => {
    const kept = state.orgs.get(owner);
    if (kept === undefined) return;
    kept.record = org;
    for (const ordinal of kept.apps) {
      const app = state.apps.get(ordinal);
      if (app !== undefined) app.vouchedDomains = org.emailDomains ?? [];
    }
  },
  'org.branded': (state, { owner, branding }) => {
    const kept = state.orgs.get(owner);
    if (kept === undefined) return;
    kept.branding = branding;
    for (const ordinal of kept.apps) {
      const app = state.apps.get(ordinal);
      if (app !== undefined) app.branding = resolvedBranding(branding);
    }
  },
  'key.created': (state, { owner, key }) => {
    state.keys.set(key.keyId, { ...key, org: owner });
    state.orgs.get(owner)?.keyIds.add(key.keyId);
  },
  'key.deleted': (state, { owner, keyId }) => {
    state.keys.delete(keyId);
    state.orgs.get(owner)?.keyIds.delete(keyId);
  },
  'app.created': (state, { owner, app, vapidPublicKey, settings }) => {
    const made = state.addApp(app);
    const org = state.orgs.get(app.org);
    made.vapidPublicKey = vapidPublicKey;
    made.vouchedDomains = org?.record.emailDomains ?? [];
    made.branding = resolvedBranding(org?.branding ?? noBranding);
    if (settings !== undefined) made.settings = settings;
    org?.apps.add(owner);
  },
  'app.changed': (state, { owner, app }) => {
    const kept = state.apps.get(owner);
    if (kept !== undefined) kept.record = app;
  },
  'app.deleted': (state, { owner }) => {
    const app = state.apps.get(owner);
    if (app === undefined) return;
    const org = state.orgs.get(app.record.org);
    org?.apps.delete(owner);
    for (const keyId of [...(org?.keyIds ?? [])]) {
      if (state.keys.get(keyId)?.appId !== app.record.id) continue;
      state.keys.delete(keyId);
      org?.keyIds.delete(keyId);
    }
    state.apps.delete(owner);
    state.tombstones.add(owner);
  },
  'app.swept': (state, { owner, done }) => {
    if (done) state.tombstones.delete(owner);
  },
  'settings.changed': (state, { owner, settings }) => {
    const app = state.apps.get(owner);
    if (app !== undefined) app.settings = wholeSettings(settings);
  },
  'events.gone': (state, { owner, beforeMs }) => {
    const app = state.apps.get(owner);
    if (app !== undefined) app.settings = { ...app.settings, goneBeforeMs: beforeMs };
  },
  'credential.stored': (state, { owner, credential, publicKey }) => {
    const app = state.apps.get(owner);
    if (app === undefined) return;
    app.credentials.set(credential.channel, credential);
    if (publicKey !== null) app.vapidPublicKey = publicKey;
  },
  'credential.rotated': (state, { owner, channel, sealed }) => {
    const credentials = state.apps.get(owner)?.credentials;
    const kept = credentials?.get(channel);
    if (kept === undefined) return;
    credentials?.set(channel, { ...kept, sealed, rotations: (kept.rotations ?? 0) + 1 });
  },
  'credential.deleted': (state, { owner, channel }) => {
    state.apps.get(owner)?.credentials.delete(channel);
  },
  'email_domain.stored': (state, { owner, domain }) => {
    state.apps.get(owner)?.emailDomains.set(domain.domain, domain);
  },
  'email_domain.checked': (state, { owner, name, state: next, check, verifiedMs }) => {
    const domains = state.apps.get(owner)?.emailDomains;
    const kept = domains?.get(name);
    if (kept === undefined) return;
    const since = verifiedMs === undefined ? {} : { verifiedMs };
    domains?.set(name, { ...kept, state: next, check, ...since });
  },
  'email_domain.deleted': (state, { owner, name }) => {
    state.apps.get(owner)?.emailDomains.delete(name);
  },
};
