// Which dispatch thread makes the calls to a destination.

import type { Ordinal } from '../../../engine/base/brand.ts';
import { hash32 } from '../../../engine/base/hash.ts';

export interface WebhookPlan {
  readonly partition: number;
  readonly dispatchers: number;
  /** For the log; the errors contain no secret. */
  onUnreadable?(app: Ordinal, error: Error): void;
}

/** A destination always goes to the same dispatcher, which counts its calls. */
export function dispatcherOf(
  owner: Ordinal,
  destination: number,
  { dispatchers }: Pick<WebhookPlan, 'dispatchers'>,
): number {
  return hash32(`${owner}|webhook ${destination}`) % dispatchers;
}
