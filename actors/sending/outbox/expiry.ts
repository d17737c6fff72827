// Whether a send's time is certainly over. Its life counts from when it was accepted, without time
// that no clock confirmed.

import type { Ages } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import { limits } from '../../limits.ts';
import type { Job, Target } from './job.ts';

type Accepted = Pick<Job, 'acceptedMs'>;

/**
 * A life of 0 seconds means one try at once; providers read it the same way. Without a time to live
 * a send has a day: nobody wants it after a longer outage. A paused campaign keeps its sends.
 */
export function isOver(
  job: Pick<Job, 'acceptedMs' | 'expiresMs' | 'origin'>,
  { attempts }: Pick<Target, 'attempts'>,
  atMs: Millis,
  ages: Ages,
): boolean {
  const { acceptedMs, expiresMs, origin } = job;
  if (expiresMs === null)
    return (
      origin?.campaignId === undefined && timeLeftMs(limits.attemptSpanMs, job, atMs, ages) < 0
    );
  if (attempts === 0 && expiresMs === acceptedMs) return false;
  return timeLeftMs(expiresMs - acceptedMs, job, atMs, ages) <= 0;
}

/** How much of `spanMs` after a send's acceptance is left, 0 or less if none. */
export function timeLeftMs(
  spanMs: Millis,
  { acceptedMs }: Accepted,
  atMs: Millis,
  ages: Ages,
): Millis {
  return acceptedMs - ages.cutMs(atMs, spanMs);
}
