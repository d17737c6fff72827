// What may come of a call to a provider: the classes that every adapter sorts its provider's
// answers into, and what each does to the device, the send and the account.

import type { Millis } from '../../engine/base/brand.ts';
import type { ChannelId } from './channel-ids.ts';

/** Where a provider says that a device is now; what is left out has not changed. */
export interface Moved {
  /** The endpoint of the attempt, as it was: a device that has given it up since is not moved. */
  readonly from: unknown;
  /** As the provider writes it. */
  readonly endpoint?: string;
  readonly environment?: 'production' | 'sandbox';
}

/** What came of an attempt. */
export type Outcome =
  /** The provider took it. */
  | {
      readonly outcome: 'accepted';
      readonly providerMessageId?: string;
      /** It took a second call to find the device: the next attempt goes there at once. */
      readonly moved?: Moved;
    }
  | {
      readonly outcome: /** The endpoint is dead: disable the device; the receipt is `bounced`. */
        | 'dead'
        /** The recipient opted out at the provider: suppressed, no retry. */
        | 'opted_out'
        /** This message is wrong for this provider: `bounced`, the device stays. */
        | 'permanent'
        /**
         * The tenant's account or credential is at fault: no device is touched, a circuit opens.
         */
        | 'config'
        /** Throttled: wait, without burning an attempt, and slow the whole account. */
        | 'rate'
        /** Transient: back off and burn an attempt. */
        | 'retry'
        /** Bytes went out and no answer came: the provider may have sent it. */
        | 'ambiguous';
      /**
       * A stable snake_case word for receipts and insights (`unregistered`, `timeout`,
       * `mailbox_not_found`).
       */
      readonly reason: string;
      /** The provider's own words, at most 500 characters, free of secrets and addresses. */
      readonly detail?: string;
      /**
       * What the provider asked for, clamped to 1 s … 15 min; longer where it takes nothing until a
       * time of day.
       */
      readonly retryAfterMs?: Millis;
      readonly providerMessageId?: string;
    };

/** Every outcome but the one that was wanted. */
export type Failure = Exclude<Outcome, { outcome: 'accepted' }>;

/**
 * What came of telling a provider where to call back; `reason` is a stable snake_case word,
 * `detail` the provider's words, free of secrets.
 */
export type WebhookRegistration =
  | { readonly registered: true }
  | { readonly registered: false; readonly reason: string; readonly detail?: string };

/**
 * The front's question whether a provider takes an address to call; the answer is a
 * `WebhookRegistration`.
 */
export interface RegisterWebhook {
  readonly kind: 'webhook.register';
  readonly channel: ChannelId;
  readonly url: string;
  /** Opened; it never leaves the process. */
  readonly credentials: unknown;
}

/** What became of the things that a callback told. */
export interface CallbackCounts {
  readonly taken: number;
  /** Known already. */
  readonly repeated: number;
  /** Of sends or devices that are not known, or not understood. */
  readonly ignored: number;
}
