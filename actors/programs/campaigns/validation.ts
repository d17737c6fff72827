// Checks a campaign as a whole after a change is merged: fields that need or exclude each other,
// and what the named messages lack. The edge checks single fields. A fault names the missing field,
// or the later of two that conflict. Source: specification, "Campaign" and "Errors"; contract,
// sections 5 and 6.

import { dayMs, type Millis, minuteMs } from '../../../engine/base/brand.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { missingMember } from '../../content/accept/missing-member.ts';
import type { MessageContent } from '../../content/shape/message-schema.ts';
import { unknownId } from '../../faults.ts';
import { limits } from '../../limits.ts';
import type { CampaignSpec, Schedule } from './records.ts';
import { recurringFault, shortestPeriodMs } from './recurrence.ts';

export interface CampaignReferences {
  /** The content of a saved message; `undefined` for an unknown id. */
  content(messageId: string): MessageContent | undefined;
  hasSegment(segmentId: string): boolean;
  hasTopic(key: string): boolean;
}

/** The first problem of a campaign, named by its field. */
export function campaignFault(
  spec: CampaignSpec,
  references: CampaignReferences,
): Fault | undefined {
  return (
    audienceFault(spec, references) ??
    topicFault(spec, references) ??
    (spec.schedule.type === 'recurring' ? recurringFault(spec.schedule) : undefined) ??
    timingFault(spec) ??
    fallbackFault(spec) ??
    variantsFault(spec) ??
    experimentFault(spec) ??
    messagesFault(spec, references)
  );
}

/** Checks a newly given schedule. A stored one may expire while its campaign is a draft. */
export function givenScheduleFault(schedule: Schedule, nowMs: Millis): Fault | undefined {
  const { campaignPastMs } = limits;
  if (schedule.type === 'at' && schedule.atMs < nowMs - campaignPastMs)
    return fieldFault(
      'schedule.at',
      `is in the past; expected a time at most ${campaignPastMs / 1000} seconds ago, or {"type":"now"}`,
    );
  if (schedule.type === 'recurring' && schedule.endMs !== undefined && schedule.endMs <= nowMs)
    return fieldFault('schedule.endAt', 'is in the past, so the schedule has no occurrence');
  return undefined;
}

function audienceFault(
  { segmentId, filter }: CampaignSpec,
  references: CampaignReferences,
): Fault | undefined {
  if (segmentId !== undefined && filter !== undefined) return notWith('filter', 'segmentId');
  if (filter !== undefined && JSON.stringify(filter).length > limits.campaignFilterCharsMax)
    return fieldFault(
      'filter',
      `expected at most ${limits.campaignFilterCharsMax} characters as JSON; save a longer filter as a segment and use segmentId`,
    );
  return segmentId === undefined || references.hasSegment(segmentId)
    ? undefined
    : unknownId('segmentId', 'segment', segmentId);
}

function topicFault({ topic }: CampaignSpec, references: CampaignReferences): Fault | undefined {
  return topic === undefined || references.hasTopic(topic)
    ? undefined
    : unknownId('topic', 'topic', topic);
}

/** The two ways to send to each person at their own hour exclude each other. */
function timingFault(spec: CampaignSpec): Fault | undefined {
  const [first, second] = ownHours(spec);
  if (first === undefined) return undefined;
  if (second !== undefined) return notWith(second, first);
  const { schedule } = spec;
  return schedule.type === 'recurring' && shortestPeriodMs(schedule) < dayMs
    ? fieldFault(first, 'needs a schedule that recurs at most daily')
    : undefined;
}

function ownHours(spec: CampaignSpec): readonly ('timezoneDelivery' | 'optimalTime')[] {
  return (['timezoneDelivery', 'optimalTime'] as const).filter(
    (member) => spec[member] !== undefined && spec[member] !== false,
  );
}

function fallbackFault(spec: CampaignSpec): Fault | undefined {
  const { channels, fallbackChannels, fallbackAfterMinutes: afterMinutes, schedule } = spec;
  if (fallbackChannels === undefined)
    return afterMinutes === undefined
      ? undefined
      : missing('fallbackChannels', 'fallbackAfterMinutes needs it');
  if (afterMinutes === undefined)
    return missing('fallbackAfterMinutes', 'fallbackChannels needs it');
  if (channels === undefined) return missing('channels', 'a fallback needs the primary channels');
  const shared = fallbackChannels.filter((channel) => channels.includes(channel));
  if (shared.length > 0)
    return fieldFault(
      'fallbackChannels',
      `${shared.join(', ')} ${shared.length === 1 ? 'is' : 'are'} already in channels; expected other channels`,
    );
  const [own] = ownHours(spec);
  if (own !== undefined) return notWith('fallbackChannels', own);
  if (schedule.type !== 'recurring') return undefined;
  const mostMinutes = Math.floor(shortestPeriodMs(schedule) / 2 / minuteMs);
  return afterMinutes <= mostMinutes
    ? undefined
    : fieldFault(
        'fallbackAfterMinutes',
        `expected at most ${mostMinutes} on this schedule: half the time between two occurrences`,
      );
}

function variantsFault({ variants = [] }: CampaignSpec): Fault | undefined {
  const seen = new Set<string>();
  for (const [i, { id }] of variants.entries()) {
    if (seen.has(id)) return fieldFault(`variants[${i}].id`, 'appears twice');
    seen.add(id);
  }
  return undefined;
}

function experimentFault(spec: CampaignSpec): Fault | undefined {
  const { experiment, variants, goal, schedule } = spec;
  if (experiment === undefined) return undefined;
  if (variants === undefined)
    return missing('variants', 'an experiment needs two or more variants');
  if (experiment.winnerMetric === 'converted' && goal === undefined)
    return missing('goal', 'the experiment counts conversions, which needs a goal');
  const [own] = ownHours(spec);
  if (own !== undefined) return notWith('experiment', own);
  if (schedule.type !== 'recurring') return undefined;
  const periodMinutes = shortestPeriodMs(schedule) / minuteMs;
  return experiment.decideAfterMinutes < periodMinutes
    ? undefined
    : fieldFault(
        'experiment.decideAfterMinutes',
        `expected less than ${periodMinutes} on this schedule: the time between two occurrences`,
      );
}

function messagesFault(spec: CampaignSpec, references: CampaignReferences): Fault | undefined {
  const { channels = [], fallbackChannels = [] } = spec;
  const places = [
    ['messageId', spec.messageId] as const,
    ...(spec.variants ?? []).map((one, i) => [`variants[${i}].messageId`, one.messageId] as const),
  ];
  for (const [field, messageId] of places) {
    const content = references.content(messageId);
    if (content === undefined) return unknownId(field, 'message', messageId);
    const lacking = missingMember(content, channels) ?? missingMember(content, fallbackChannels);
    if (lacking !== undefined)
      return fieldFault(
        field,
        `this message has no ${lacking.member}, which ${lacking.channel} needs`,
      );
  }
  return undefined;
}

function missing(field: string, why: string): Fault {
  return fieldFault(field, `is missing; ${why}`);
}

function notWith(field: string, other: string): Fault {
  return fieldFault(field, `cannot be combined with ${other}`);
}
