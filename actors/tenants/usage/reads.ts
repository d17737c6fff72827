// What other areas read of the meter.

import type { UtcMonth } from '../../../engine/time/utc-month.ts';
import type { UsageOrg } from './state.ts';

export interface UsageReads {
  readonly meter: {
    /** The emails of a month; `undefined` for one without any. */
    emails(month: UtcMonth): { readonly delivered: number } | undefined;
  };
}

/** The whole meter of an org, for what a client reports to its parent. */
export type MeterReads = Readonly<UsageOrg>;
