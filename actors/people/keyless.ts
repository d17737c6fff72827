// Limits on the people that calls without an API key create.

import { type Millis, minuteMs, type Seconds } from '../../engine/base/brand.ts';
import { limits } from '../limits.ts';

/**
 * What the address of a keyless call may still create in this app. The front keeps the count and
 * gets the use in the reply; without it only the app's own limit holds.
 */
export interface KeylessQuota {
  /** How many people it may create. */
  readonly mayCreate: number;
  /** How many it has created in the last minute; 0 if absent. */
  readonly made?: number;
  /** Whole seconds until it may create more. */
  readonly retryAfterSeconds: Seconds;
}

/** People created without proof of identity; for the front alone, never in a response. */
export interface KeylessCreated {
  readonly keylessCreated: number;
}

/** Why no more people are created without an API key, by the limit reached. */
export const addressLimitReached = `at most ${limits.keylessPeoplePerAddress} new people per minute from one address without an API key`;

export function appLimitReached(settings: KeylessSettings): string {
  return `at most ${perMinute(settings)} new people per minute in an app without an API key, and fewer of them from an address that has created several`;
}

interface KeylessSettings {
  /** Absent or `null` for the platform's default. */
  readonly keylessPeoplePerMinute?: number | null;
}

interface KeylessApp {
  readonly keylessMinute: number;
  readonly keylessCreated: number;
  readonly settings: KeylessSettings;
}

/**
 * Up to which share of the app's minute an address may create people, by how many it has created.
 * So the noisiest addresses stop first, and the last sixth is left to those that have none.
 */
const shares = [
  { from: 10, share: 1 / 2 },
  { from: 3, share: 2 / 3 },
  { from: 1, share: 5 / 6 },
  { from: 0, share: 1 },
] as const;

/**
 * Whether an address that has created `made` people in the last minute may create another one in
 * this app, after `created` others of the same call.
 */
export function mayCreateKeyless(
  app: KeylessApp,
  room: KeylessQuota | undefined,
  created: number,
  nowMs: Millis,
): boolean {
  const used = app.keylessMinute === Math.floor(nowMs / minuteMs) ? app.keylessCreated : 0;
  const made = room === undefined ? 0 : (room.made ?? 0) + created;
  const share = shares.find(({ from }) => made >= from)?.share ?? 1;
  return used + created < perMinute(app.settings) * share;
}

function perMinute({ keylessPeoplePerMinute }: KeylessSettings): number {
  return keylessPeoplePerMinute ?? limits.keylessPeoplePerMinute;
}
