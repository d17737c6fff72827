// When each person is sent a message at their usual reading hour: now if it is that hour, else when
// it comes next. People without opens get the app's most common local hour; without any data, now.

import { hourMs, type Millis, type PersonOrdinal } from '../../../engine/base/brand.ts';
import { wallTimeMs } from '../../sending/gate/local-time.ts';
import { LocalTimes } from '../../sending/gate/local-times.ts';
import type { CampaignsView } from './memory.ts';

const dayHours = 24;

/** How many people are sampled for the app's hour. */
const peopleMax = 100_000;

export class OptimalTimes {
  readonly #app: Pick<CampaignsView, 'readingHours'>;
  readonly #startedMs: Millis;
  readonly #newcomers: LocalTimes | undefined;

  /** `appHour`: the local hour for people without opens. */
  constructor(app: CampaignsView, startedMs: Millis, appHour: number | undefined) {
    this.#app = app;
    this.#startedMs = startedMs;
    // `LocalTimes` finds the next such time; starting an hour early makes this hour count.
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

/** The app's most common local reading hour; `undefined` without any opens. */
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
