// Which in-app message is shown next: one at a time, the highest priority first, when its trigger
// was met and its own limits allow it. Pure.

import type { FeedMessage } from '../feed.ts';

interface Shows {
  readonly count: number;
  readonly lastMs: number;
}

export interface Happened {
  readonly name: string;
  readonly props?: Readonly<Record<string, unknown>> | undefined;
}

interface Moment {
  readonly nowMs: number;
  /** Since the page was opened. */
  readonly openMs: number;
  /** What the person did on this page, oldest first. */
  readonly happened: readonly Happened[];
  readonly showsOf: (id: string) => Shows | undefined;
  /** Whether a prompt for push could still end with a subscription. */
  readonly canSubscribe: boolean;
}

const hourMs = 3_600_000;

/** `messages` are in the order of the feed: the highest priority first. */
export function nextMessage(
  messages: readonly FeedMessage[],
  moment: Moment,
): FeedMessage | undefined {
  return messages.find(
    (message) =>
      message.display?.kind !== 'none' &&
      (message.display?.kind !== 'push-prompt' || moment.canSubscribe) &&
      isTriggered(message, moment) &&
      isWithinLimits(message, moment),
  );
}

/** In how many milliseconds one may be due because of time alone; undefined if never. */
export function nextLookMs(
  messages: readonly FeedMessage[],
  { openMs }: Pick<Moment, 'openMs'>,
): number | undefined {
  const waits = messages.flatMap(({ display }) => {
    const trigger = display?.trigger;
    if (trigger === undefined || !('afterSeconds' in trigger)) return [];
    const waitMs = trigger.afterSeconds * 1_000 - openMs;
    return waitMs > 0 ? [waitMs] : [];
  });
  return waits.length === 0 ? undefined : Math.min(...waits);
}

function isTriggered({ display }: FeedMessage, { openMs, happened }: Moment): boolean {
  const trigger = display?.trigger;
  if (trigger === undefined) return true;
  if ('afterSeconds' in trigger) return openMs >= trigger.afterSeconds * 1_000;
  return happened.some(
    ({ name, props }) =>
      name === trigger.event &&
      Object.entries(trigger.where ?? {}).every(([key, value]) => props?.[key] === value),
  );
}

function isWithinLimits({ id, display }: FeedMessage, { showsOf, nowMs }: Moment): boolean {
  const shows = showsOf(id);
  if (shows === undefined) return true;
  const { maxShows, everyHours } = display ?? {};
  if (maxShows !== undefined && shows.count >= maxShows) return false;
  // A clock that was set back must not hide a message for years.
  const agoMs = nowMs - shows.lastMs;
  return everyHours === undefined || agoMs < 0 || agoMs >= everyHours * hourMs;
}
