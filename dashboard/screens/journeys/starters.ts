// Journeys to begin with. They are ordinary drafts: every name, text and time can be changed.

import type { Filter } from '../../api/generated.ts';
import type { Step } from '../../canvas/model.ts';
import type { IconName } from '../../ui/icon-paths.ts';
import type { Draft } from './draft.ts';
import { words } from './words.ts';

export interface Starter {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly icon: IconName;
  readonly draft: Draft;
  /** A segment that starts it; one with the same filter serves as well. */
  readonly segment?: { readonly name: string; readonly filter: Filter };
}

const { welcome, basket, winBack } = words.start;

export const starters: readonly Starter[] = [
  {
    id: 'welcome',
    name: welcome.name,
    text: welcome.text,
    icon: 'person',
    draft: {
      name: welcome.name,
      triggerEvent: 'signup',
      triggerSegmentId: null,
      reentry: 'once',
      steps: [
        written(welcome.hello, welcome.helloTitle, welcome.helloBody),
        { id: welcome.wait, type: 'wait', days: 1 },
        {
          id: welcome.check,
          type: 'condition',
          filter: { activeWithinDays: 1 },
          then: [],
          else: [written(welcome.nudge, welcome.nudgeTitle, welcome.nudgeBody)],
        },
      ],
    },
  },
  {
    id: 'basket',
    name: basket.name,
    text: basket.text,
    icon: 'inbox',
    draft: {
      name: basket.name,
      triggerEvent: 'basket_updated',
      triggerSegmentId: null,
      reentry: 'always',
      steps: [
        { id: basket.first, type: 'goal', event: 'order', timeoutHours: 1 },
        written(basket.remind, basket.remindTitle, basket.remindBody),
        { id: basket.second, type: 'goal', event: 'order', timeoutHours: 24 },
        written(basket.last, basket.lastTitle, basket.lastBody),
      ],
    },
  },
  {
    id: 'win-back',
    name: winBack.name,
    text: winBack.text,
    icon: 'refresh',
    segment: { name: winBack.segment, filter: { inactiveForDays: 30 } },
    draft: {
      name: winBack.name,
      triggerEvent: null,
      triggerSegmentId: null,
      reentry: 'always',
      steps: [
        written(winBack.miss, winBack.missTitle, winBack.missBody),
        { id: winBack.wait, type: 'wait', days: 3 },
        {
          id: winBack.check,
          type: 'condition',
          filter: { activeWithinDays: 3 },
          then: [],
          else: [written(winBack.offer, winBack.offerTitle, winBack.offerBody)],
        },
      ],
    },
  },
];

export const emptyDraft: Draft = {
  name: words.untitled,
  triggerEvent: null,
  triggerSegmentId: null,
  reentry: 'once',
  steps: [],
};

function written(id: string, title: string, body: string): Step {
  return { id, type: 'send', message: { title, body } };
}
