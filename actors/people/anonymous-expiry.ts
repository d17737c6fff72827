// Which people expire: a call without a key made them, they never got an external id, and nobody
// has vouched for them since. They go once they have done nothing for as many days as the app sets.

import type { Ages } from '../../engine/actor/message.ts';
import { dayMs, type Millis, type PersonOrdinal } from '../../engine/base/brand.ts';
import { limits } from '../limits.ts';

interface ExpirySettings {
  /** `null` for never; absent for the platform's default. */
  readonly anonymousExpiryDays?: number | null;
}

/** The members of an app that say who has expired. */
interface ExpiryReads {
  readonly settings: ExpirySettings;
  readonly people: { isNamed(person: PersonOrdinal): boolean };
  readonly monthlyActive: { isUnvouched(person: PersonOrdinal): boolean };
  readonly traits: {
    readonly alive: { test(person: PersonOrdinal): boolean };
    readonly created: Instants;
    readonly activity: Instants;
  };
}

interface Instants {
  at(person: PersonOrdinal): Millis;
}

/** `null` for never. */
export function anonymousExpiryDaysOf({ anonymousExpiryDays }: ExpirySettings): number | null {
  return anonymousExpiryDays === undefined ? limits.anonymousExpiryDays : anonymousExpiryDays;
}

/** Whoever did something after this stays; `undefined` where nobody expires. */
export function expiryCutMs(
  { settings }: Pick<ExpiryReads, 'settings'>,
  ages: Ages,
  nowMs: Millis,
): Millis | undefined {
  const days = anonymousExpiryDaysOf(settings);
  return days === null ? undefined : ages.cutMs(nowMs, days * dayMs);
}

/** By the columns alone; their record may have changed since. */
export function mayHaveExpired(app: ExpiryReads, person: PersonOrdinal, cutMs: Millis): boolean {
  const { people, monthlyActive, traits } = app;
  return (
    traits.activity.at(person) < cutMs &&
    traits.created.at(person) < cutMs &&
    traits.alive.test(person) &&
    !people.isNamed(person) &&
    monthlyActive.isUnvouched(person)
  );
}
