// What a provider reports after accepting a message.

import type { Millis } from '../../../engine/base/brand.ts';

export type ReportEffect = 'none' | 'opted_out' | 'dead';

export type DeliveryReport =
  /** The provider has the message: do not send it again. `reports`: what became of it comes. */
  | { readonly kind: 'taken'; readonly reports?: true }
  /** The recipient's server asked a relay to wait; the relay keeps trying. */
  | { readonly kind: 'deferred'; readonly atMs: Millis; readonly detail?: string }
  | { readonly kind: 'arrived' }
  | { readonly kind: 'read'; readonly atMs?: Millis }
  /** `scope`: what the opt-out covers; default everything. */
  | { readonly kind: 'complained'; readonly scope?: 'marketing' }
  /** Its reader wants no more marketing, and said so to the relay. */
  | { readonly kind: 'unsubscribed' }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly effect: ReportEffect;
      /** For a reason that passes: several in a row rest the address. */
      readonly isSoft?: true;
    };
