// Opt-outs, one per identity: a phone number has one for all phone channels.

import type { Millis } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

/** Who asked for an opt-out, and when. */
export interface AskedFor {
  readonly reason?: string;
  readonly source: 'api' | 'callback' | 'unsubscribe' | 'bounce';
  readonly createdMs: Millis;
}

export interface SuppressionRow extends AskedFor {
  /** Class of the identity: phone, email, telegram, line, zalo, viber. */
  readonly identity: string;
  readonly address: string;
  /** Absent: nothing may be sent. `marketing`: transactional messages may. */
  readonly scope?: 'marketing';
  /** An opt-out of marketing below one of everything by STOP: START lifts only the latter. */
  readonly marketing?: AskedFor;
}

/** Key: [identity key, `class:normal form`]. */
export const suppressions = defineTable<SuppressionRow>()({
  id: 12,
  name: 'suppressions',
  version: 1,
  fields: ['identity', 'address', 'reason', 'source', 'createdMs', 'scope', 'marketing'],
});
