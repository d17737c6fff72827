// What folds of campaigns and journeys do to sends.

import { dayMs, type Ordinal } from '../../../engine/base/brand.ts';
import type { OrgsOf } from '../../tenants/accounts/reads.ts';
import type { Outbox } from './outbox.ts';
import type { SendsOrg } from './state.ts';

export interface SendsFolds {
  readonly outbox: Pick<Outbox, 'add' | 'endJourney' | 'pause' | 'resume' | 'stand'>;
}

export interface ReadyFolds {
  readonly ready: Pick<Set<Ordinal>, 'add'>;
}

export type SentTodayFolds = SendsOrg;

/** Counts sends of an org's UTC day. */
export function countSend(
  state: OrgsOf<SentTodayFolds>,
  org: number,
  atMs: number,
  sends = 1,
): void {
  const kept = state.orgs.get(org);
  if (kept === undefined) return;
  const day = Math.floor(atMs / dayMs);
  if (kept.sendsDay !== day) {
    kept.sendsDay = day;
    kept.sendsToday = 0;
  }
  kept.sendsToday += sends;
}
