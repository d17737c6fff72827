// Opens what an app has stored for a channel. A credential that does not open (its master key is
// not configured any more, or its bytes were changed) is an answer, not a throw: its channel waits
// as after a provider's `config`, and nothing is lost, since the operator can bring the key back
// and the tenant can upload the credential again.

import { SealError } from '../../../storage/sealed.ts';
import { catalog } from '../../channels/catalog.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import type { Outcome } from '../../channels/outcome.ts';
import { credentialPlace, type Sealer } from '../../sealer.ts';
import type { SendsView } from './view.ts';

/** What the operator's set-up says about channels. */
export interface CredentialRules {
  /** Channels that an adapter exists for. */
  readonly available: ReadonlySet<ChannelId>;
  /** Stand-ins need no credentials. */
  readonly credentialsRequired: boolean;
}

/** Opened credentials, kept by what identifies them; never written anywhere. */
export type CredentialCache = Map<string, unknown>;

/** What there is to send with. */
export type Credentials =
  /** `value` is `undefined` where none is needed. */
  | { readonly state: 'ready'; readonly value: unknown }
  | { readonly state: 'not_configured' }
  /** `error` says which master key is missing, for the log; never what was inside. */
  | { readonly state: 'unreadable'; readonly error: SealError };

/**
 * What becomes of a try that would have used a credential which does not open. Its `detail` goes
 * into receipts.
 */
export const credentialUnreadable: Outcome = {
  outcome: 'config',
  reason: 'credential_unreadable',
  detail: 'the stored credential of this channel cannot be decrypted: upload it again',
};

const cachedMax = 1_000;

/** The credentials of one app for a channel. */
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

/**
 * Whether there is something to send with on a channel; whether it opens is found out when it is
 * tried.
 */
export function isConfigured(
  { credentials }: Pick<SendsView, 'credentials'>,
  { available, credentialsRequired }: CredentialRules,
  channel: ChannelId,
): boolean {
  const { credential } = catalog[channel];
  if (!available.has(channel)) return false;
  return credential === undefined || !credentialsRequired || credentials.has(credential);
}

/** The channels of which that is true. */
export function configuredChannels(
  app: Pick<SendsView, 'credentials'>,
  rules: CredentialRules,
): ReadonlySet<ChannelId> {
  return new Set(channelIds.filter((channel) => isConfigured(app, rules, channel)));
}

/** The parser's own words would repeat a piece of the secret. */
function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SealError(`credential ${name}: the decrypted value is not JSON`);
  }
}
