// What the operator decides about providers, and what every adapter is made with. Tenants have no say in it: a tenant
// that could set a provider's address could make this service call anything, with a bearer token in hand.

import type { Clock } from '../../engine/time/clock.ts';
import type { Outbound } from '../outbound.ts';
import type { Adapter } from './adapter.ts';
import { builtChannels } from './built.ts';
import type { ChannelId } from './catalog.ts';
import type { SmtpTimeouts } from './smtp-connection.ts';

/** The names of `ENGAGE_<PROVIDER>_URL`. */
export type ProviderUrlName =
  | 'FCM'
  | 'APNS'
  | 'GOOGLE_TOKEN'
  | 'CARRIER'
  | 'WHATSAPP'
  | 'TELEGRAM'
  | 'RCS'
  | 'LINE'
  | 'ZALO'
  | 'ZALO_TOKEN'
  | 'VIBER'
  | 'KAKAO';

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
  readonly publicUrl: string;
}

/** The channels that can send at all: to the others everything is suppressed as `not_configured`. */
export function availableChannels({ smtp }: Pick<ProviderConfig, 'smtp'>): readonly ChannelId[] {
  return builtChannels.filter((channel) => channel !== 'email' || smtp !== undefined);
}

export interface SmtpConfig {
  /** `smtp://[user:password@]host[:port]` (STARTTLS where offered) or `smtps://…` (TLS from the start). */
  readonly url: string;
  readonly dkim?: DkimConfig;
  readonly timeouts?: Partial<SmtpTimeouts>;
  /** Certificates to trust instead of the system's, in PEM. */
  readonly certificateAuthorities?: string;
}

export interface DkimConfig {
  readonly domain: string;
  readonly selector: string;
  /** PEM, RSA or Ed25519. */
  readonly privateKey: string;
}

/** What an adapter is made with. */
export interface AdapterContext {
  readonly config: ProviderConfig;
  readonly outbound: Outbound;
  readonly clock: Clock;
}

export type AdapterFactory = (context: AdapterContext) => Adapter;
