// What other areas read of the meter.

import type { OrgMeter } from './org-meter.ts';

export interface UsageReads {
  readonly meter: Pick<OrgMeter, 'emails'>;
}
