// Which messages change or delete an org, a key, an app, its settings, its credentials and its
// sender domains.

import type { Editable, EditableOf } from '../../area.ts';
import type { CredentialName } from '../../channels/channel-ids.ts';
import {
  appEtag,
  credentialEtag,
  emailDomainEtag,
  keyEtag,
  orgEtag,
  settingsEtag,
} from './account-etags.ts';
import type { AccountsMemory } from './memory.ts';

interface At {
  readonly owner: number;
}

const orgOf = ({ orgs }: AccountsMemory, _message: unknown, { owner }: At) => {
  const record = orgs.get(owner)?.record;
  return record && { key: 'org', etag: orgEtag(record) };
};

const appOf = ({ apps }: AccountsMemory, _message: unknown, { owner }: At) => {
  const record = apps.get(owner)?.record;
  return record && { key: 'app', etag: appEtag(record) };
};

const settingsOf = ({ apps }: AccountsMemory, _message: unknown, { owner }: At) => {
  const app = apps.get(owner);
  return app && { key: 'settings', etag: settingsEtag(app.settings) };
};

const credentialOf = (
  { apps }: AccountsMemory,
  { channel }: { readonly channel: CredentialName },
  { owner }: At,
): Editable | undefined => {
  const app = apps.get(owner);
  if (app === undefined) return undefined;
  const record = app.credentials.get(channel);
  const key = `credential ${channel}`;
  return record === undefined
    ? { key }
    : { key, etag: credentialEtag(record), changedMs: record.updatedMs };
};

const emailDomainOf = (
  { apps }: AccountsMemory,
  { domain }: { readonly domain: string },
  { owner }: At,
): Editable | undefined => {
  const record = apps.get(owner)?.emailDomains.get(domain);
  return record && { key: `email domain ${domain}`, etag: emailDomainEtag(record) };
};

export const accountsEdits = {
  'org.rename': orgOf,
  'org.set_limits': orgOf,
  'app.update': appOf,
  'settings.patch': settingsOf,
  'credential.put': credentialOf,
  'email_domain.check': emailDomainOf,
} satisfies Record<string, EditableOf<AccountsMemory>>;

export const accountsEnds = {
  'app.delete': appOf,
  'credential.delete': credentialOf,
  'email_domain.delete': emailDomainOf,
  'key.delete': (
    { orgs, keys }: AccountsMemory,
    { id }: { readonly id: string },
    { owner }: At,
  ): Editable | undefined => {
    for (const keyId of orgs.get(owner)?.keyIds ?? []) {
      const key = keys.get(keyId);
      if (key?.id === id) return { etag: keyEtag(key) };
    }
    return undefined;
  },
} satisfies Record<string, EditableOf<AccountsMemory>>;
