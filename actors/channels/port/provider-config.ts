// The operator's provider settings. A tenant that could set a provider's address could make this
// service send a bearer token anywhere.

import type { Millis } from '../../../engine/base/brand.ts';
import { isObject } from '../../is-object.ts';
import type { ProviderUrlName } from '../channel-ids.ts';

export interface ProviderConfig {
  readonly mode: 'sandbox' | 'live';
  /** Base addresses that replace the providers' own; no trailing slash. */
  readonly urls: Readonly<Partial<Record<ProviderUrlName, string>>>;
  /** Sandbox: receives every web push instead of a browser's push service. */
  readonly webPushUrl?: string;
  /** The mail relay; without it email is `not_configured`. */
  readonly smtp?: SmtpConfig;
  /** `mailto:` or `https:` contact for push services, if a key pair has none. */
  readonly vapidSubject: string;
  /** Of WhatsApp's Graph API, as `v25.0`; default: the adapter's. */
  readonly whatsappVersion?: string;
  readonly publicUrl: string;
  /** Receives bounces, complaints, and opt-outs by mail. */
  readonly bounceDomain?: string;
  /** Links may have names of tenants' domains, which the operator's proxy serves. */
  readonly linkHosts?: true;
}

export interface SmtpConfig {
  /** `smtp://[user:password@]host[:port]` (STARTTLS if offered) or `smtps://…` (implicit TLS). */
  readonly url: string;
  readonly dkim?: DkimConfig;
  readonly timeouts?: Partial<SmtpTimeouts>;
  /** Trusted certificates instead of the system's, in PEM. */
  readonly certificateAuthorities?: string;
}

export interface SmtpTimeouts {
  readonly connectMs: Millis;
  /** For every reply except the last. */
  readonly replyMs: Millis;
  /** For the reply to the final dot: relays scan the message first. */
  readonly finalMs: Millis;
}

export interface DkimConfig {
  readonly domain: string;
  readonly selector: string;
  /** PEM, RSA or Ed25519. */
  readonly privateKey: string;
}

/** The credential of an email attempt; without one the mail is unsigned. */
export type MailKey = 'platform' | DkimConfig;

/** A check that credentials have these text fields. Uploads are validated: presence is enough. */
export function hasTexts<Own>(
  ...names: readonly (keyof Own & string)[]
): (credentials: unknown) => credentials is Own {
  return (credentials): credentials is Own => {
    if (!isObject(credentials)) return false;
    for (const name of names) if (typeof credentials[name] !== 'string') return false;
    return true;
  };
}

/** The tenant's, or in sandbox mode the sandbox's; otherwise the attempt is `not_configured`. */
export function credentialsOr<Own>(
  { mode }: Pick<ProviderConfig, 'mode'>,
  isOwn: (credentials: unknown) => credentials is Own,
  credentials: unknown,
  sandbox: Own,
): Own | undefined {
  if (isOwn(credentials)) return credentials;
  return mode === 'sandbox' ? sandbox : undefined;
}
