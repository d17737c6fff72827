// A channel's `channel.ts` as data. It imports only schemas and bottom files, because deciding
// code, the edge and documents all read the catalog without the provider's code.

import type { z } from 'zod';
import type { Millis } from '../../../engine/base/brand.ts';
import { limits } from '../../limits.ts';
import type { EndpointPolicy, NormalForm, WebPushSubscription } from '../addresses/endpoint.ts';
import type { CredentialName, IdentityClass } from '../channel-ids.ts';

/**
 * What to do when bytes went out and no answer came. `resend`: retry with back-off; the provider or
 * device deduplicates where it can (apns-id, collapse key, Topic, Message-ID, retry key).
 * `wait_then_resend`: wait 60 s for a callback with our reference, then resend once. `never`: fail
 * with reason `unknown_outcome`; only an operator resends.
 */
type AmbiguityRule = 'resend' | 'wait_then_resend' | 'never';

/** Who pays: `push` is free, we meter `email`, the provider bills the tenant for `own_account`. */
type PriceClass = 'push' | 'email' | 'own_account';

export interface ChannelEntry {
  /** What a device's endpoint is, in one phrase for documents. */
  readonly endpointIs: string;
  /** The wire form of an endpoint. It checks and never rewrites. */
  readonly endpoint: z.ZodType<string | WebPushSubscription>;
  /** The normal form of a raw endpoint, or what is wrong with it. */
  readonly normalize: (
    raw: unknown,
    policy: EndpointPolicy,
  ) => NormalForm | { readonly problem: string };
  /** Endpoints that differ only by case are the same. */
  readonly ignoresCase?: true;
  /** The opt-out class of its addresses; absent for push, whose endpoints are disabled instead. */
  readonly identity?: IdentityClass;
  /** Its credential's name, and its schema; absent for email. Shared by channels of one account. */
  readonly credential?: CredentialName;
  readonly credentialSchema?: z.ZodType<Readonly<Record<string, unknown>>>;
  /** What an ambiguous outcome means, on the transactional and on the marketing lane. */
  readonly onAmbiguous: { readonly express: AmbiguityRule; readonly bulk: AmbiguityRule };
  readonly price: PriceClass;
  /** Each message costs the tenant money, so a stranger's address could be made to earn it. */
  readonly billsPerMessage?: true;
  /** Calls in flight per provider account. */
  readonly inFlightMax: number;
  readonly needsTitle: boolean;
  /** Its messages depend on the person's language beyond their content: a voice, our words. */
  readonly usesLanguage?: true;
  /** When the provider accepts no marketing at all: wall-clock times of one zone. */
  readonly marketingNight?: {
    readonly start: string;
    readonly end: string;
    readonly timezone: string;
  };
  /** The `payload` field that replaces title and body here; required if it is the only one. */
  readonly payloadKey?: string;
  /** Base addresses by the X of `ENGAGE_X_URL`; `null`: the adapter picks one per account. */
  readonly urls?: Readonly<Record<string, string | null>>;
  /** Sends only through the operator's own server, which may not be configured. */
  readonly needsRelay?: true;
  /** Whose id later reports use: the provider's (stored with the device) or ours. Absent: none. */
  readonly namesMessages?: 'provider' | 'engage';
  /** A reply names the message that it answers by the provider's id (stored with the device). */
  readonly answersNameMessages?: true;
  /** The provider pushes no results, so we poll. */
  readonly isPolled?: true;
  /** Reasons of `retry` from a provider that works: trouble of one recipient or message. */
  readonly reachedReasons?: readonly string[];
  /** The shortest wait after so many failures with such a reason; a longer rule comes later. */
  readonly shortestWaits?: readonly (readonly [failed: number, waitMs: Millis])[];
  /** The part of the provider that serves an endpoint, if parts fail separately: a host. */
  readonly accountOf?: (endpoint: unknown) => string | undefined;
  /** Reasons of `opted_out` that end marketing alone. */
  readonly endsMarketing?: readonly string[];
  /** The part of an endpoint that may be slowed down alone, if the outcome names it. */
  readonly domainOf?: (endpoint: unknown) => string | undefined;
  /** A failure that disables the device only when frequent. */
  readonly failureThatAddsUp?: string;
  /** The provider posts everything to one address per app. */
  readonly webhook?: WebhookEntry;
  /** Uploading the credential registers that address with the provider. */
  readonly registersWebhook?: true;
  /** Reasons specific to this channel: a sentence, or the common reason whose sentence applies. */
  readonly reasons?: Readonly<Record<string, string>>;
}

export interface WebhookEntry {
  /** The header that proves the call is the provider's. */
  readonly header: string;
  readonly proof: string;
  readonly about: string;
  /** One call reports several things; other bodies are as small as a form. */
  readonly isBatched?: true;
}

export const resend = { express: 'resend', bulk: 'resend' } as const;
/** Without an idempotency key a person would see, or pay for, a second copy. */
export const waitOrNever = { express: 'wait_then_resend', bulk: 'never' } as const;

const inFlightMax = limits.inFlightPerAccountMax;
export const ownAccount = { price: 'own_account', inFlightMax, needsTitle: false } as const;
export const pushChannel = {
  price: 'push',
  inFlightMax,
  needsTitle: true,
  onAmbiguous: resend,
} as const;
