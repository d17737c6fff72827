// Opens an app's stored credential for a channel. One that cannot be decrypted is a value, not a
// throw: the channel waits as after `config`, until the key is restored or the credential is
// uploaded again.

import { SealError } from '../../../storage/sealed.ts';
import { catalog } from '../../channels/catalog.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import type { Outcome } from '../../channels/port/outcome.ts';
import { credentialPlace, emailDomainPlace, type Sealer } from '../../sealer.ts';
import { type AppWithSender, type SenderRules, senderOf } from '../../tenants/accounts/sender.ts';
import type { RelaysReads } from '../../tenants/relays/reads.ts';
import { hasWay } from '../../tenants/relays/ways.ts';
import type { SendsView } from './reads.ts';

export interface CredentialRules {
  /** Channels with an adapter. */
  readonly available: ReadonlySet<ChannelId>;
  /** False with stand-ins. */
  readonly credentialsRequired: boolean;
  readonly senders: SenderRules;
}

/** Opened credentials by identity and version. Never write it anywhere. */
export type CredentialCache = Map<string, unknown>;

export type Credentials =
  /** `value` is `undefined` where none is needed. `fromAddress`: for email, the allowed sender. */
  | { readonly state: 'ready'; readonly value: unknown; readonly fromAddress?: string }
  | { readonly state: 'not_configured' }
  /** `error` names the missing master key, for the log; it contains no secret. */
  | { readonly state: 'unreadable'; readonly error: SealError };

/** `detail` goes into receipts. */
export const credentialUnreadable: Outcome = {
  outcome: 'config',
  reason: 'credential_unreadable',
  detail: 'the stored credential of this channel cannot be decrypted: upload it again',
};

const cachedMax = 1_000;

/** What this reads of an app. */
type AppWithCredentials = Pick<SendsView, 'record' | 'credentials'> & AppWithSender & RelaysReads;

export function openCredentials(
  app: AppWithCredentials,
  channel: ChannelId,
  rules: CredentialRules,
  sealer: Sealer,
  cache: CredentialCache,
): Credentials {
  if (catalog[channel].needsRelay) return openSender(app, channel, rules, sealer, cache);
  if (!isConfigured(app, rules, channel)) return { state: 'not_configured' };
  const name = catalog[channel].credential;
  const record = name === undefined ? undefined : app.credentials.get(name);
  if (name === undefined || record === undefined) return { state: 'ready', value: undefined };
  const { ordinal } = app.record;
  const { fingerprint, updatedMs, rotations = 0 } = record;
  const key = `${ordinal}|${name}|${fingerprint}|${updatedMs}|${rotations}`;
  const known = cache.get(key);
  if (known !== undefined) return { state: 'ready', value: known };
  try {
    const value = parse(sealer.open(record.sealed, credentialPlace(ordinal, name)), name);
    if (cache.size >= cachedMax) cache.clear();
    cache.set(key, value);
    return { state: 'ready', value };
  } catch (error) {
    if (error instanceof SealError) return { state: 'unreadable', error };
    throw error;
  }
}

/** The key of the sender's domain is the credential of email. */
function openSender(
  app: AppWithCredentials,
  channel: ChannelId,
  rules: CredentialRules,
  sealer: Sealer,
  cache: CredentialCache,
): Credentials {
  const isSent = rules.available.has(channel) || hasWay(app, channel);
  const sender = isSent ? senderOf(app, rules.senders) : undefined;
  if (sender?.state !== 'allowed') return { state: 'not_configured' };
  const { address: fromAddress, key } = sender;
  if (key === undefined || key === 'platform') return { state: 'ready', value: key, fromAddress };
  const { ordinal } = app.record;
  const { domain, selector, sealed } = key;
  const name = `${ordinal}|email-domain|${selector}`;
  const known = cache.get(name);
  if (known !== undefined) return { state: 'ready', value: known, fromAddress };
  try {
    const privateKey = sealer.open(sealed, emailDomainPlace(ordinal, selector));
    const value = { domain, selector, privateKey };
    if (cache.size >= cachedMax) cache.clear();
    cache.set(name, value);
    return { state: 'ready', value, fromAddress };
  } catch (error) {
    if (error instanceof SealError) return { state: 'unreadable', error };
    throw error;
  }
}

/** Whether a channel has a way out: an adapter and a credential, or relays. */
export function isConfigured(
  app: Pick<AppWithCredentials, 'credentials'> & AppWithSender & RelaysReads,
  rules: CredentialRules,
  channel: ChannelId,
): boolean {
  if (!hasServerWay(app, rules, channel) && !hasWay(app, channel)) return false;
  return !catalog[channel].needsRelay || senderOf(app, rules.senders).state === 'allowed';
}

/**
 * Whether messages that no relay takes have a way out. Decrypting the credential may still fail.
 */
export function hasServerWay(
  { credentials }: Pick<AppWithCredentials, 'credentials'>,
  { available, credentialsRequired }: Pick<CredentialRules, 'available' | 'credentialsRequired'>,
  channel: ChannelId,
): boolean {
  const { credential } = catalog[channel];
  if (!available.has(channel)) return false;
  return credential === undefined || !credentialsRequired || credentials.has(credential);
}

export function configuredChannels(
  app: Pick<SendsView, 'credentials'> & AppWithSender & RelaysReads,
  rules: CredentialRules,
): ReadonlySet<ChannelId> {
  return new Set(channelIds.filter((channel) => isConfigured(app, rules, channel)));
}

/** The parser's own message would quote part of the secret. */
function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SealError(`credential ${name}: the decrypted value is not JSON`);
  }
}
