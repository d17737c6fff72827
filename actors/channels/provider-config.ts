// What the operator decides about providers. Tenants have no say in it: a tenant that could set a
// provider's address could make this service call anything, with a bearer token in hand.

import type { Millis } from '../../engine/base/brand.ts';
import { isObject } from '../is-object.ts';
import { catalog, type ProviderUrlName } from './catalog.ts';
import { type ChannelId, channelIds } from './channel-ids.ts';

/** What the operator decided about providers; the same for all tenants. */
export interface ProviderConfig {
  readonly mode: 'sandbox' | 'live';
  /** Base addresses instead of the providers' own, without a slash at the end. */
  readonly urls: Readonly<Partial<Record<ProviderUrlName, string>>>;
  /** Sandbox: where every web push goes instead of a browser's push service. */
  readonly webPushUrl?: string;
  /** The mail relay; without it email is `not_configured`. */
  readonly smtp?: SmtpConfig;
  /** `mailto:` or `https:` contact that push services see where a key pair names none. */
  readonly vapidSubject: string;
  /** Of WhatsApp's Graph API, as `v25.0`; the adapter's own where it is absent. */
  readonly whatsappVersion?: string;
  readonly publicUrl: string;
  /** The domain whose mail comes back to us: bounces, complaints, and opt-outs by mail. */
  readonly bounceDomain?: string;
}

/**
 * The channels that can send at all: to the others everything is suppressed as `not_configured`.
 */
export function availableChannels({ smtp }: Pick<ProviderConfig, 'smtp'>): readonly ChannelId[] {
  return channelIds.filter((id) => catalog[id].needsRelay !== true || smtp !== undefined);
}

export interface SmtpConfig {
  /**
   * `smtp://[user:password@]host[:port]` (STARTTLS where offered) or `smtps://…` (TLS from the
   * start).
   */
  readonly url: string;
  readonly dkim?: DkimConfig;
  readonly timeouts?: Partial<SmtpTimeouts>;
  /** Certificates to trust instead of the system's, in PEM. */
  readonly certificateAuthorities?: string;
}

export interface SmtpTimeouts {
  readonly connectMs: Millis;
  /** For each reply but the last. */
  readonly replyMs: Millis;
  /** For the reply to the final dot: relays scan the message before they answer. */
  readonly finalMs: Millis;
}

export interface DkimConfig {
  readonly domain: string;
  readonly selector: string;
  /** PEM, RSA or Ed25519. */
  readonly privateKey: string;
}

/**
 * A check for credentials by the texts that each of their kind has. Uploads are validated, so this
 * only finds out whether there are any.
 */
export function hasTexts<Own>(
  ...names: readonly (keyof Own & string)[]
): (credentials: unknown) => credentials is Own {
  return (credentials): credentials is Own => {
    if (!isObject(credentials)) return false;
    for (const name of names) if (typeof credentials[name] !== 'string') return false;
    return true;
  };
}

/**
 * The credentials to send with: the tenant's; without any, the sandbox's in sandbox mode, and none
 * in live mode, where the attempt ends as `not_configured`.
 */
export function credentialsOr<Own>(
  { mode }: Pick<ProviderConfig, 'mode'>,
  isOwn: (credentials: unknown) => credentials is Own,
  credentials: unknown,
  sandbox: Own,
): Own | undefined {
  if (isOwn(credentials)) return credentials;
  return mode === 'sandbox' ? sandbox : undefined;
}
