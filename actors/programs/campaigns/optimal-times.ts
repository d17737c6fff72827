// When each person of an audience mostly reads: the next time it is that hour, from the start of an
// occurrence on, or at once while it is. Who never read gets the hour at which the app's people do,
// by their own clock; where nobody ever read, now.

import { hourMs, type Millis, type PersonOrdinal } from '../../../engine/base/brand.ts';
import { wallTimeMs } from '../../sending/gate/local-time.ts';
import { LocalTimes } from '../../sending/gate/local-times.ts';
import type { CampaignsView } from './view.ts';

const dayHours = 24;

/** People whose clocks are asked for the hour of the app. */
const peopleMax = 100_000;

export class OptimalTimes {
  readonly #app: Pick<CampaignsView, 'readingHours'>;
  readonly #startedMs: Millis;
  readonly #newcomers: LocalTimes | undefined;

  /** `appHour`: the local hour of people who never read. */
  constructor(app: CampaignsView, startedMs: Millis, appHour: number | undefined) {
    this.#app = app;
    this.#startedMs = startedMs;
    // A time of day counts for the hour after it: whoever is within the hour has it an hour before.
    this.#newcomers =
      appHour === undefined
        ? undefined
        : new LocalTimes(app, `${String(appHour).padStart(2, '0')}:00`, startedMs - hourMs + 1);
  }

  of(person: PersonOrdinal): Millis {
    const hour = this.#app.readingHours.hourOf(person);
    if (hour === undefined) return this.#newcomers?.of(person).atMs ?? this.#startedMs;
    const started = Math.floor(this.#startedMs / hourMs);
    const wait = (hour - (started % dayHours) + dayHours) % dayHours;
    return wait === 0 ? this.#startedMs : (started + wait) * hourMs;
  }
}

/** The local hour at which an app's people mostly read; `undefined` where nobody ever did. */
export function appReadingHour(app: CampaignsView, nowMs: Millis): number | undefined {
  const { contact, record, readingHours } = app;
  const aheadOf: (number | undefined)[] = [];
  return readingHours.appHour((person) => {
    const code = contact.zoneCode(person);
    let ahead = aheadOf[code];
    if (ahead === undefined) {
      const zone = contact.zoneName(code) ?? record.timezone;
      ahead = (wallTimeMs(zone, nowMs) - nowMs) / hourMs;
      aheadOf[code] = ahead;
    }
    return ahead;
  }, peopleMax);
}
