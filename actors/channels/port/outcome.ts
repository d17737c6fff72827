// The outcome classes of a provider call, and their effect on the device, the send and the account.

import type { Millis } from '../../../engine/base/brand.ts';
import type { ChannelId } from '../channel-ids.ts';

/** A device's new address; absent fields have not changed. */
export interface Moved {
  /** The attempt's endpoint. If the device has another one by now, it is not moved. */
  readonly from: unknown;
  /** In the provider's form. */
  readonly endpoint?: string;
  readonly environment?: 'production' | 'sandbox';
  /** What the provider calls the address, which stays. */
  readonly knownAs?: string;
}

export type Outcome =
  | {
      readonly outcome: 'accepted';
      readonly providerMessageId?: string;
      /** A second call found the device: the next attempt goes there directly. */
      readonly moved?: Moved;
      readonly account?: string;
      /** Its relay tells later what became of it: no delivery yet. */
      readonly reports?: true;
      /** Copies of an email that were refused while it was taken. */
      readonly copiesRefused?: number;
    }
  | {
      readonly outcome: /** The endpoint is dead: disable the device; the receipt is `bounced`. */
        | 'dead'
        /** The recipient opted out at the provider: suppressed, not retried. */
        | 'opted_out'
        /** This message is wrong for this provider: `bounced`, the device stays. */
        | 'permanent'
        /** The account or credential is at fault: no device is touched, a circuit opens. */
        | 'config'
        /** Throttled: wait without using up an attempt, and slow down the whole account. */
        | 'rate'
        /** Transient: back off and use up an attempt. */
        | 'retry'
        /** The request was sent and no response came: the provider may have acted. */
        | 'ambiguous';
      /** A stable snake_case code for receipts and insights (`unregistered`, `timeout`). */
      readonly reason: string;
      /** The provider's words, at most 500 characters, without secrets and addresses. */
      readonly detail?: string;
      /** The provider's delay, clamped to 1 s … 1 h; longer if closed until a time of day. */
      readonly retryAfterMs?: Millis;
      /** Of `rate` where the provider named no delay: this limit lasts at least so long. */
      readonly atLeastMs?: Millis;
      readonly providerMessageId?: string;
      /** The part of the provider that the endpoint belongs to (`accountOf`), if it has parts. */
      readonly account?: string;
      /** Of `rate` by email: the recipient's domain, lower case, if it alone asks to slow down. */
      readonly domain?: string;
    };

export type Failure = Exclude<Outcome, { outcome: 'accepted' }>;

/** `reason` is a stable snake_case code, `detail` the provider's words without secrets. */
export type WebhookRegistration =
  | { readonly registered: true }
  | { readonly registered: false; readonly reason: string; readonly detail?: string };

/** The front's request to a dispatch thread; the answer is a `WebhookRegistration`. */
export interface RegisterWebhook {
  readonly kind: 'webhook.register';
  readonly channel: ChannelId;
  readonly url: string;
  /** Opened; never leaves the process. */
  readonly credentials: unknown;
}

/** Whether a provider takes a credential. Reason and detail as above. */
export type CredentialCheck =
  | { readonly checked: true; readonly ok: true }
  | {
      readonly checked: true;
      readonly ok: false;
      readonly reason: string;
      readonly detail?: string;
    }
  | { readonly checked: false; readonly why: string };

/** The front's request to a dispatch thread; the answer is a `CredentialCheck`. */
export interface CheckCredential {
  readonly kind: 'credential.check';
  readonly channel: ChannelId;
  /** An `OpenRelay`; it never leaves the process. */
  readonly relay?: object;
  /** Opened; never leaves the process. */
  readonly credentials: unknown;
}

/** One text through a relay as its tenant describes it; the answer is a `TrialResult`. */
export interface TryRelay extends Trial {
  readonly kind: 'relay.try';
  readonly channel: ChannelId;
  /** An `OpenRelay`; it never leaves the process. */
  readonly relay: object;
}

export interface Trial {
  readonly appId: string;
  /** Of no send: reports about it are ignored. */
  readonly sendId: string;
  readonly deviceId: string;
  /** E.164. */
  readonly to: string;
  readonly text: string;
  /** False: nothing leaves. */
  readonly isSent: boolean;
}

/** What would go to the gateway, what it answered, and what that means: without a secret. */
export interface TrialResult {
  /** Absent if the text never gets so far: `outcome` says why. */
  readonly request?: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  readonly answer?: { readonly status: number; readonly body: string };
  /** Absent if nothing was sent and nothing stands against it. */
  readonly outcome?:
    | { readonly outcome: 'accepted'; readonly providerMessageId?: string }
    | Pick<Failure, 'outcome' | 'reason' | 'detail'>;
}

export interface CallbackCounts {
  readonly taken: number;
  readonly repeated: number;
  /** Of unknown sends or devices, or not understood. */
  readonly ignored: number;
}
