// What a draft still lacks before it can be reviewed, and which fold asks for it. No DOM types
// here.

import { instantOfWall } from '../../../time/wall-clock.ts';
import { isZone } from '../../../time/zones.ts';
import type { Draft } from './draft.ts';
import { words } from './words.ts';

export type FoldId = 'who' | 'what' | 'when' | 'review';

export interface Lack {
  readonly fold: FoldId;
  /** As the API names it. */
  readonly field: string;
  readonly text: string;
}

/** `isFilterWhole`: whether each condition of the filter is filled in. */
export function missingOf(draft: Draft, isFilterWhole: boolean): readonly Lack[] {
  const { lacks } = words;
  const found: Lack[] = [];
  const need = (isThere: boolean, fold: FoldId, field: string, text: string) => {
    if (!isThere) found.push({ fold, field, text });
  };
  const { audience, filter, hasFallback, hasVariants, variants } = draft;
  need(draft.messageId !== undefined, 'what', 'messageId', lacks.message);
  if (audience === 'segment')
    need(draft.segmentId !== undefined, 'who', 'segmentId', lacks.segment);
  if (audience === 'filter')
    need(filter !== undefined && isFilterWhole, 'who', 'filter', lacks.filter);
  if (draft.hasChannels) need(draft.channels.length > 0, 'who', 'channels', lacks.channels);
  if (hasFallback) {
    need(draft.fallbackChannels.length > 0, 'who', 'fallbackChannels', lacks.fallback);
    need(isWhole(draft.fallbackAfterMinutes), 'who', 'fallbackAfterMinutes', lacks.minutes);
    need(draft.hasChannels, 'who', 'channels', lacks.fallbackPrimary);
  }
  if (hasVariants) {
    need(variants.length >= 2, 'what', 'variants', lacks.variants);
    for (const [at, { id, weight, messageId }] of variants.entries()) {
      const field = `variants[${at}]`;
      need(id.trim() !== '', 'what', `${field}.id`, lacks.variantName(at + 1));
      need(isWhole(weight), 'what', `${field}.weight`, lacks.variantWeight(at + 1));
      need(messageId !== undefined, 'what', `${field}.messageId`, lacks.variantMessage(at + 1));
    }
    if (draft.hasExperiment) {
      need(inShare(draft.samplePercent), 'what', 'experiment.sampleShare', lacks.sample);
      need(
        isWhole(draft.decideAfterMinutes),
        'what',
        'experiment.decideAfterMinutes',
        lacks.decide,
      );
    }
  }
  if (draft.hasGoal) need(draft.goalEvent.trim() !== '', 'what', 'goal', lacks.goal);
  if (draft.hasHoldout) need(inShare(draft.holdoutPercent), 'who', 'holdoutShare', lacks.holdout);
  if (draft.hasThrottle) need(isWhole(draft.perMinute), 'when', 'throttle', lacks.throttle);
  if (draft.when === 'at')
    need(
      isZone(draft.atZone) && instantOfWall(draft.at, draft.atZone) !== undefined,
      'when',
      'schedule.at',
      lacks.at,
    );
  if (draft.when === 'recurring') {
    need(isZone(draft.recurringZone), 'when', 'schedule.timezone', lacks.zone);
    need(draft.recurringAt !== '', 'when', 'schedule.at', lacks.time);
  }
  if (draft.delivery === 'local')
    need(draft.localAt !== '', 'when', 'timezoneDelivery', lacks.time);
  return found;
}

function isWhole(value: number | undefined): boolean {
  return value !== undefined && Number.isInteger(value) && value > 0;
}

function inShare(percents: number | undefined): boolean {
  return percents !== undefined && percents > 0 && percents < 100;
}

const whenFields = /^(schedule|timezoneDelivery|optimalTime|throttle|guard|ifLate)\b/;
const whoFields = /^(segmentId|filter|topic|channels|fallback|holdoutShare)/;

/** The fold that has a field of the API. */
export function foldOf(field: string): FoldId {
  if (whenFields.test(field)) return 'when';
  return whoFields.test(field) ? 'who' : 'what';
}
