// What the operator must know of the clock, and of orgs and apps in quarantine: asked from the
// shards every few seconds, and shown by `/readyz`, the banner and `engage clock`.

import type { ClockFigures, ClockRequest } from '../../actors/runtime/protocol.ts';
import type { Router } from '../../engine/actor/router.ts';
import { dayMs, hourMs, type Millis, minuteMs, secondMs } from '../../engine/base/brand.ts';
import type { ClockWarning } from '../call/call-edge.ts';

const askEveryMs: Millis = 5 * secondMs;

type Asked = Pick<Router, 'askShard' | 'shardCount'>;

/** `warnings`: as of a few seconds ago; none when all is well. */
export async function watchClock(
  router: Asked,
): Promise<{ readonly warnings: readonly ClockWarning[]; stop(): void }> {
  let warnings = clockWarnings(await clockFigures(router));
  const timer = setInterval(() => {
    clockFigures(router).then(
      (figures) => {
        warnings = clockWarnings(figures);
      },
      () => undefined, // a shard that does not answer ends the process by itself
    );
  }, askEveryMs);
  timer.unref();
  return {
    get warnings() {
      return warnings;
    },
    stop: () => clearInterval(timer),
  };
}

/** Of the worst partition. `accept`: the operator says that the clock is right. */
export async function clockFigures(router: Asked, accept = false): Promise<ClockFigures> {
  const shards: ClockFigures[] = [];
  for (let shard = 0; shard < router.shardCount; shard++) {
    const answer = await router.askShard(shard, { kind: 'thread.clock', accept } as ClockRequest);
    if (answer.ok) shards.push(answer.value as ClockFigures);
  }
  const quarantined = shards.reduce((sum, one) => sum + (one.quarantined ?? 0), 0);
  return {
    behindMs: Math.max(0, ...shards.map(({ behindMs }) => behindMs)),
    unconfirmedMs: Math.max(0, ...shards.map(({ unconfirmedMs }) => unconfirmedMs)),
    ...(quarantined === 0 ? {} : { quarantined }),
  };
}

/** Clocks that differ by less than a minute agree. */
export function clockWarnings(figures: ClockFigures): readonly ClockWarning[] {
  const { quarantined: count = 0 } = figures;
  const clock = warningOfClock(figures);
  if (count === 0) return clock;
  const message = `${count} orgs and apps are quarantined: an entry of theirs could not be read at the start, so their calls get 503. See "An app is quarantined" in docs/OPERATIONS.md.`;
  return [...clock, { code: 'quarantined', count, message }];
}

function warningOfClock({ behindMs, unconfirmedMs }: ClockFigures): readonly ClockWarning[] {
  if (behindMs > minuteMs)
    return [
      {
        code: 'clock_behind',
        seconds: Math.round(behindMs / secondMs),
        message: `The clock is ${durationText(behindMs)} behind the newest data. Either it is wrong now, or it was ahead before. Delays continue; schedules wait for the clock; nothing expires early. See "The clock" in docs/OPERATIONS.md.`,
      },
    ];
  if (unconfirmedMs > 0)
    return [
      {
        code: 'clock_unconfirmed',
        seconds: Math.round(unconfirmedMs / secondMs),
        message: `The clock is ${durationText(unconfirmedMs)} past the newest data, and nobody has confirmed it yet. Everything runs, but nothing expires, no invoice is made or charged, and campaigns that are late wait. If the clock is right, there is nothing to do.`,
      },
    ];
  return [];
}

/** `3 hours`, cut to one unit. */
function durationText(ms: Millis): string {
  const [unit, name] =
    ms >= 2 * dayMs
      ? ([dayMs, 'days'] as const)
      : ms >= 2 * hourMs
        ? ([hourMs, 'hours'] as const)
        : ([minuteMs, 'minutes'] as const);
  return `${Math.floor(ms / unit)} ${name}`;
}
