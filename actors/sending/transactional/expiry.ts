// Whether a send's time is certainly over. Its life counts from when it was accepted, without time
// that no clock confirmed.

import type { Ages } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import type { Job } from './job.ts';

type Accepted = Pick<Job, 'acceptedMs'>;

export function hasExpired(
  { acceptedMs, expiresMs }: Accepted & Pick<Job, 'expiresMs'>,
  atMs: Millis,
  ages: Ages,
): boolean {
  return expiresMs !== null && ages.cutMs(atMs, expiresMs - acceptedMs) >= acceptedMs;
}

/** Whether the send was accepted more than `spanMs` before. */
export function isOlderThan(
  spanMs: Millis,
  { acceptedMs }: Accepted,
  atMs: Millis,
  ages: Ages,
): boolean {
  return ages.cutMs(atMs, spanMs) > acceptedMs;
}
