// What folds of events do to an app's people.

import { minuteMs } from '../../../engine/base/brand.ts';
import type { People } from './people.ts';
import type { AudienceApp } from './state.ts';

/** An event of somebody new makes the person; calls without a key make only so many a minute. */
export interface AudienceFolds extends Pick<AudienceApp, 'keylessCreated' | 'keylessMinute'> {
  readonly people: Pick<People, 'add'>;
}

/** Counts people made without a key in the current minute, against the app's bound. */
export function countKeyless(
  app: { keylessMinute: number; keylessCreated: number },
  atMs: number,
  count: number,
): void {
  const minute = Math.floor(atMs / minuteMs);
  if (app.keylessMinute !== minute) {
    app.keylessMinute = minute;
    app.keylessCreated = 0;
  }
  app.keylessCreated += count;
}
