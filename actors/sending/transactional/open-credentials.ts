// Opens an app's stored credential for a channel. One that cannot be decrypted (master key missing,
// bytes changed) is a value, not a throw: the channel waits as after `config`, until the operator
// restores the key or the tenant uploads the credential again.

import { SealError } from '../../../storage/sealed.ts';
import { catalog } from '../../channels/catalog.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import type { Outcome } from '../../channels/outcome.ts';
import { credentialPlace, type Sealer } from '../../sealer.ts';
import type { SendsView } from './view.ts';

export interface CredentialRules {
  /** Channels with an adapter. */
  readonly available: ReadonlySet<ChannelId>;
  /** False with stand-ins. */
  readonly credentialsRequired: boolean;
}

/** Opened credentials by identity and version. Never write it anywhere. */
export type CredentialCache = Map<string, unknown>;

export type Credentials =
  /** `value` is `undefined` where none is needed. */
  | { readonly state: 'ready'; readonly value: unknown }
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

export function openCredentials(
  app: SendsView,
  channel: ChannelId,
  rules: CredentialRules,
  sealer: Sealer,
  cache: CredentialCache,
): Credentials {
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

/** Whether a channel has an adapter and a credential; decrypting it may still fail. */
export function isConfigured(
  { credentials }: Pick<SendsView, 'credentials'>,
  { available, credentialsRequired }: CredentialRules,
  channel: ChannelId,
): boolean {
  const { credential } = catalog[channel];
  if (!available.has(channel)) return false;
  return credential === undefined || !credentialsRequired || credentials.has(credential);
}

export function configuredChannels(
  app: Pick<SendsView, 'credentials'>,
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
