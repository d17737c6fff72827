// The plan of a campaign in sentences: on its page, and live beside its editor.

import type { Campaign, Schedule } from '../../api/generated.ts';
import { exactTime } from '../../time/relative.ts';
import { channelName } from '../../words/channels.ts';
import { words } from './words.ts';

type PlanSpec = {
  readonly [Member in
    | 'channels'
    | 'fallbackChannels'
    | 'fallbackAfterMinutes'
    | 'schedule'
    | 'timezoneDelivery'
    | 'optimalTime'
    | 'throttle'
    | 'experiment'
    | 'holdoutShare'
    | 'goal'
    | 'ifLate']?: Campaign[Member] | null | undefined;
};

export function channelsText({ channels }: PlanSpec): string {
  return channels == null ? words.plan.allChannels : listed(channels.map(channelName));
}

export function fallbackText({ fallbackChannels, fallbackAfterMinutes }: PlanSpec) {
  if (fallbackChannels == null) return undefined;
  return words.plan.fallback(
    listed(fallbackChannels.map(channelName)),
    minutesText(fallbackAfterMinutes ?? 0),
  );
}

export function deliveryText({ timezoneDelivery, optimalTime }: PlanSpec): string {
  if (timezoneDelivery != null) return words.plan.local(timezoneDelivery.at);
  return optimalTime === true ? words.plan.optimal : words.plan.together;
}

export function testText({ experiment, holdoutShare, goal }: PlanSpec): readonly string[] {
  return [
    ...(experiment == null
      ? []
      : [
          words.plan.experiment(
            percentText(experiment.sampleShare),
            words.metrics[experiment.winnerMetric],
            minutesText(experiment.decideAfterMinutes),
          ),
        ]),
    ...(holdoutShare == null || holdoutShare === 0
      ? []
      : [words.plan.holdout(percentText(holdoutShare))]),
    ...(goal == null ? [] : [words.plan.goal(goal.event, goal.withinHours)]),
  ];
}

export function scheduleText(schedule: Schedule | null | undefined, zone: string): string {
  if (schedule == null || schedule.type === 'now') return words.plan.now;
  if (schedule.type === 'at') return words.plan.at(exactTime(Date.parse(schedule.at), zone), zone);
  const { every, interval = 1, at, weekdays, dayOfMonth = 1, timezone } = schedule;
  const days =
    every === 'week' && weekdays !== undefined
      ? words.plan.onDays(listed(weekdays.map((day) => words.weekdays[day])))
      : every === 'month'
        ? words.plan.onDay(dayOfMonth)
        : '';
  const time = every === 'hour' ? words.plan.atMinute(at.slice(3)) : words.plan.atTime(at);
  const bounds = [
    schedule.startAt && words.plan.from(exactTime(Date.parse(schedule.startAt), timezone)),
    schedule.endAt && words.plan.until(exactTime(Date.parse(schedule.endAt), timezone)),
  ].filter(Boolean);
  return [words.every(every, interval), days, time, `(${timezone})`, ...bounds]
    .filter((part) => part !== '')
    .join(' ');
}

const lists = new Intl.ListFormat('en', { type: 'conjunction' });
const percents = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 });

function listed(texts: readonly string[]): string {
  return lists.format(texts);
}

function percentText(share: number): string {
  return percents.format(share);
}

/** "2 hours", "90 minutes". */
function minutesText(minutes: number): string {
  const isHours = minutes >= 60 && minutes % 60 === 0;
  return isHours ? words.hours(minutes / 60) : words.minutes(minutes);
}
