// What counts as a change of an org, a key, an app, its settings, its credentials and its sender
// domains for those who edit them.

import { etagOf } from '../../etag.ts';
import type { CredentialView, EmailDomainView, KeyView } from './protocol.ts';
import type { AppRecord, AppSettings, OrgRecord } from './records.ts';

export function orgEtag(org: OrgRecord): string {
  const { id, name, dailySendCap, rateLimits, emailAllowance } = org;
  const { emailDomains = [], storageQuotaBytes = null } = org;
  const limits = { dailySendCap, rateLimits, emailAllowance, emailDomains, storageQuotaBytes };
  return etagOf({ id, name, ...limits });
}

export function keyEtag({ id, name, scopes, appId }: KeyView): string {
  return etagOf({ id, name, scopes, appId });
}

export function appEtag({ id, name, timezone }: AppRecord): string {
  return etagOf({ id, name, timezone });
}

/** Equal secrets differ, because each sealing does. */
export function settingsEtag(settings: AppSettings): string {
  return etagOf(settings, ['goneBeforeMs']);
}

/** A provider's rotation of a token is not a change. */
export function credentialEtag({ channel, fingerprint }: Omit<CredentialView, 'updatedMs'>) {
  return etagOf({ channel, fingerprint });
}

/** The newest check is not a change; the state that it led to is. */
export function emailDomainEtag(
  domain: Pick<EmailDomainView, 'domain' | 'selector' | 'publicKey' | 'state'>,
): string {
  const { domain: name, selector, publicKey, state } = domain;
  return etagOf({ name, selector, publicKey, state });
}
