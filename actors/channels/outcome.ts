// The outcomes of a call to a provider: the classes into which every adapter sorts its provider's
// responses, and what each does to the device, the send and the account.

import type { Millis } from '../../engine/base/brand.ts';
import type { ChannelId } from './channel-ids.ts';

/** The new address of a device; absent members have not changed. */
export interface Moved {
  /** The endpoint of the attempt. A device that has another one by now is not moved. */
  readonly from: unknown;
  /** In the provider's form. */
  readonly endpoint?: string;
  readonly environment?: 'production' | 'sandbox';
}

/** The outcome of an attempt. */
export type Outcome =
  | {
      readonly outcome: 'accepted';
      readonly providerMessageId?: string;
      /** Set where only a second call found the device: the next attempt goes there directly. */
      readonly moved?: Moved;
    }
  | {
      readonly outcome: /** The endpoint is dead: disable the device; the receipt is `bounced`. */
        | 'dead'
        /** The recipient opted out at the provider: suppressed, not retried. */
        | 'opted_out'
        /** This message is wrong for this provider: `bounced`, the device stays. */
        | 'permanent'
        /**
         * The tenant's account or credential is at fault: no device is touched, a circuit opens.
         */
        | 'config'
        /** Throttled: wait without using up an attempt, and slow down the whole account. */
        | 'rate'
        /** Transient: back off and use up an attempt. */
        | 'retry'
        /** The request was sent and no response came: the provider may have acted. */
        | 'ambiguous';
      /**
       * A stable snake_case code for receipts and insights (`unregistered`, `timeout`,
       * `mailbox_not_found`).
       */
      readonly reason: string;
      /** The provider's words, at most 500 characters, without secrets and addresses. */
      readonly detail?: string;
      /**
       * The delay that the provider asks for, clamped to 1 s … 15 min; longer where the provider
       * accepts nothing until a time of day.
       */
      readonly retryAfterMs?: Millis;
      readonly providerMessageId?: string;
    };

/** Every outcome except `accepted`. */
export type Failure = Exclude<Outcome, { outcome: 'accepted' }>;

/**
 * The result of registering a webhook. `reason` is a stable snake_case code, `detail` the
 * provider's words without secrets.
 */
export type WebhookRegistration =
  | { readonly registered: true }
  | { readonly registered: false; readonly reason: string; readonly detail?: string };

/**
 * The front asks a dispatch thread to register a webhook; the answer is a `WebhookRegistration`.
 */
export interface RegisterWebhook {
  readonly kind: 'webhook.register';
  readonly channel: ChannelId;
  readonly url: string;
  /** Opened; it never leaves the process. */
  readonly credentials: unknown;
}

/** How many items of a callback had which result. */
export interface CallbackCounts {
  readonly taken: number;
  /** Known already. */
  readonly repeated: number;
  /** Of unknown sends or devices, or not understood. */
  readonly ignored: number;
}
