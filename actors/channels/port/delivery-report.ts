// What a provider reports after accepting a message.

import type { Millis } from '../../../engine/base/brand.ts';

export type ReportEffect = 'none' | 'opted_out' | 'dead';

export type DeliveryReport =
  /** The provider has the message: do not send it again. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'arrived' }
  | { readonly kind: 'read'; readonly atMs?: Millis }
  | { readonly kind: 'complained' }
  | { readonly kind: 'failed'; readonly reason: string; readonly effect: ReportEffect };
