// What a provider reports of a message after it took it, whatever the provider calls it.

import type { Millis } from '../../engine/base/brand.ts';

/** What follows for the device: nothing, an opt-out of its address, or its end. */
export type ReportEffect = 'none' | 'opted_out' | 'dead';

/** One report of one message. */
export type DeliveryReport =
  /** The provider has it: nobody needs to hand it over again. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'arrived' }
  | { readonly kind: 'read'; readonly atMs?: Millis }
  /** Whoever got it calls it unwanted. */
  | { readonly kind: 'complained' }
  | { readonly kind: 'failed'; readonly reason: string; readonly effect: ReportEffect };
