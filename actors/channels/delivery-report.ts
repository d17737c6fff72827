// What a provider reports about a message after it accepted it.

import type { Millis } from '../../engine/base/brand.ts';

/** What it means for the device: nothing, an opt-out of its address, or its end. */
export type ReportEffect = 'none' | 'opted_out' | 'dead';

/** One report of one message. */
export type DeliveryReport =
  /** The provider has it: no need to send it again. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'arrived' }
  | { readonly kind: 'read'; readonly atMs?: Millis }
  /** The recipient marked it as unwanted. */
  | { readonly kind: 'complained' }
  | { readonly kind: 'failed'; readonly reason: string; readonly effect: ReportEffect };
