// What folds of events change in an app's people.

import { minuteMs } from '../../../engine/base/brand.ts';
import type { AudienceApp } from './memory.ts';
import type { People } from './people.ts';

/** An event may create its person; calls without an API key create only so many per minute. */
export interface AudienceFolds extends Pick<AudienceApp, 'keylessCreated' | 'keylessMinute'> {
  readonly people: Pick<People, 'add'>;
  /** The meter. */
  readonly monthlyActive: { noteUnvouched(person: number): void };
}

/** Counts people created without an API key in the current minute, against the app's limit. */
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
