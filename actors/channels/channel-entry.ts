// What a channel's `channel.ts` says about it, as data. It imports only schemas and small bottom
// files: deciding code, the edge and documents all read the catalogue, and none of them needs the
// code that talks to a provider.

import type { z } from 'zod';
import { limits } from '../limits.ts';
import type { CredentialName, IdentityClass } from './channel-ids.ts';
import type { EndpointPolicy, NormalForm, WebPushSubscription } from './endpoint.ts';

/**
 * What to do when bytes went out and no answer came. `resend`: at once (with back-off); the
 * provider or the device folds the two into one where it can (apns-id, collapse key, Topic,
 * Message-ID, retry key). `wait_then_resend`: give a callback that names our reference 60 s, then
 * resend once. `never`: the receipt is `failed`, reason `unknown_outcome`, and only an operator
 * resends.
 */
type AmbiguityRule = 'resend' | 'wait_then_resend' | 'never';

/**
 * Who pays: `push` is free, `email` is metered by us, `own_account` is billed to the tenant by its
 * provider.
 */
type PriceClass = 'push' | 'email' | 'own_account';

/** One channel's entry. */
export interface ChannelEntry {
  /** What a device's endpoint is, in one phrase for documents. */
  readonly endpointIs: string;
  /** The wire form of an endpoint. It checks and never rewrites. */
  readonly endpoint: z.ZodType<string | WebPushSubscription>;
  /** The normal form of an endpoint as somebody gave it, or what is wrong with it. */
  readonly normalise: (
    raw: unknown,
    policy: EndpointPolicy,
  ) => NormalForm | { readonly problem: string };
  /** Set where two endpoints that differ only by case are the same one. */
  readonly ignoresCase?: true;
  /** The class in which its addresses opt out; absent for push, whose endpoints are disabled. */
  readonly identity?: IdentityClass;
  /**
   * The name under which its credential is uploaded, and its schema; absent where the channel is
   * the platform's own. Two channels of one account share both.
   */
  readonly credential?: CredentialName;
  readonly credentialSchema?: z.ZodType<Readonly<Record<string, unknown>>>;
  /**
   * What an ambiguous outcome means on the transactional (`express`) and marketing (`bulk`) lane.
   */
  readonly onAmbiguous: { readonly express: AmbiguityRule; readonly bulk: AmbiguityRule };
  readonly price: PriceClass;
  /** Calls in flight per provider account. */
  readonly inFlightMax: number;
  /** Whether a message for it needs a title. */
  readonly needsTitle: boolean;
  /** When its provider takes no marketing, for anybody: wall-clock times of one zone. */
  readonly marketingNight?: {
    readonly start: string;
    readonly end: string;
    readonly timezone: string;
  };
  /**
   * The member of `payload` that stands for title and body on this channel, and is required when it
   * is the only one.
   */
  readonly payloadKey?: string;
  /**
   * The provider's base addresses by the X of `ENGAGE_X_URL`; `null` where the adapter chooses one
   * per account.
   */
  readonly urls?: Readonly<Record<string, string | null>>;
  /** Set where it sends only with the operator's own server, which may not be configured. */
  readonly needsRelay?: true;
  /**
   * By which name the provider reports on messages after its answer: its own (the row of the device
   * keeps it), or ours. Absent where nothing comes after the answer.
   */
  readonly namesMessages?: 'provider' | 'engage';
  /** Set where the provider reports nothing by itself and is asked for results. */
  readonly isPolled?: true;
  /** A failure that means little once, and disables the device when it comes often. */
  readonly failureThatAddsUp?: string;
  /** Set where the provider calls one address of an app with everything. */
  readonly webhook?: WebhookEntry;
  /** Set where an upload of the credential registers that address with the provider. */
  readonly registersWebhook?: true;
  /**
   * Reasons that only this channel's provider gives, or that mean something else here: a sentence,
   * or the common reason that has the sentence.
   */
  readonly reasons?: Readonly<Record<string, string>>;
}

/** The webhook of an app, as its route and its documentation show it. */
export interface WebhookEntry {
  /** The header in which the provider proves that the call is its own. */
  readonly header: string;
  /** What that header holds, for documents. */
  readonly proof: string;
  /** What the provider calls with, for documents. */
  readonly about: string;
  /** Set where one call reports several things; other bodies are as small as a form. */
  readonly isBatched?: true;
}

export const resend = { express: 'resend', bulk: 'resend' } as const;
/** Providers without an idempotency key: a person would see, or pay for, a second copy. */
export const waitOrNever = { express: 'wait_then_resend', bulk: 'never' } as const;

const inFlightMax = limits.inFlightPerAccountMax;
export const ownAccount = { price: 'own_account', inFlightMax, needsTitle: false } as const;
export const pushChannel = {
  price: 'push',
  inFlightMax,
  needsTitle: true,
  onAmbiguous: resend,
} as const;
