// What other areas read of the meter.

import type { UtcMonth } from '../../../engine/time/utc-month.ts';

export interface UsageReads {
  readonly meter: {
    /** The emails of a month; `undefined` for one without any. */
    emails(month: UtcMonth): { readonly delivered: number } | undefined;
  };
}
