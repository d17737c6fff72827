// How many calls dispatchers have of a partition's apps whose outcome it does not know yet.

import type { AppState } from '../state.ts';

type Calling = Pick<AppState, 'outbox' | 'sending'>;

export function callsUnderWay(apps: Iterable<Calling>): number {
  let calls = 0;
  for (const { outbox, sending } of apps) {
    for (const { inFlight } of outbox.channels.values()) calls += inFlight;
    for (const rows of sending.rowsOn) calls += rows;
  }
  return calls;
}
