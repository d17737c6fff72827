// The area of journeys: steps that each person takes one after another.

import type { Message } from '../../../engine/actor/message.ts';
import type { Area, Editable } from '../../area.ts';
import { answerKept } from '../../audiences/segments/counted.ts';
import type { RecallsBy } from '../../recall.ts';
import { journeysApplies } from './apply.ts';
import { JourneyClock } from './clock.ts';
import { type JourneysRules, journeysDecisions } from './decide.ts';
import type { JourneysEntry } from './entries.ts';
import { journeysFacts } from './facts.ts';
import { answerForecast } from './forecasting.ts';
import { type JourneysMemory, type JourneysView, journeysOfApp } from './memory.ts';
import { journeysNotes } from './notes.ts';
import { journeyEtag } from './records.ts';

export const journeysArea = {
  name: 'journeys',
  clock: () => new JourneyClock(),
  app: journeysOfApp,
  decide: (rules: JourneysRules) => journeysDecisions(rules),
  apply: journeysApplies,
  facts: journeysFacts,
  silent: [
    'journey.saved',
    'journey.deleted',
    'journey.awaited',
    'journey.triggered',
    'journeys.released',
  ],
  edits: {
    'journey.update': journeyOf,
    'journey.correct': journeyOf,
    'journey.archive': journeyOf,
    'journey.unarchive': journeyOf,
  },
  ends: {
    'journey.delete': journeyOf,
  },
  notes: journeysNotes,
  recalls: {
    'journey.saved': ({ apps }, { owner, journey: { id: journeyId, active } }) => {
      const wasActive = apps.get(owner)?.journeys.get(journeyId)?.record.active === true;
      return wasActive && !active ? { journeyId } : undefined;
    },
  } satisfies RecallsBy<JourneysEntry, JourneysMemory>,
  stored: {
    sums: [['content', ({ journeys }) => journeys.recordBytes]],
    growth: {
      'journey.saved': (
        { journeys },
        { journey }: Extract<JourneysEntry, { kind: 'journey.saved' }>,
      ) => journeys.growth(journey),
    },
  },
  asks: {
    'journey.update': answerKept('journey.uncounted'),
    'journey.simulate': answerKept('journey.uncounted_of'),
    'journey.simulate_unsaved': answerKept('journey.uncounted_of'),
    'journey.forecast': answerForecast,
  },
  stores: {
    'journey.archive': 'copies',
    'journey.unarchive': 'copies',
    'journey.update': ({ active }: Message & { readonly active?: boolean }) =>
      active === true ? 'copies' : undefined,
  },
  whenDiskIsFull: [
    'journey.enter', // sent only once for people that a review found
    'journey.hear',
    'journey.read',
    'journey.list',
    'journey.stats',
    'journey.people',
    'journey.delete',
  ],
  on: {
    personErased: ({ journeys }, { person }) => journeys.forget(person),
    peopleExpired: ({ journeys }, people) => {
      for (const person of people) journeys.forget(person);
    },
    personMerged: ({ journeys }, { person, into }) => journeys.merge(person, into),
    clockRebased: ({ apps }, to) => {
      for (const { journeys } of apps.values()) journeys.rebase(to);
    },
    backupRestored: ({ journeys }, { atMs }) => journeys.hold(atMs),
  },
} as const satisfies Area<never, JourneysMemory, JourneysView, object>;

/**
 * What counts as a change of a journey for those who edit it: its steps, its trigger and whether
 * it is live. What going live derives from them does not.
 */
function journeyOf(
  { apps }: JourneysMemory,
  { id }: { readonly id: string },
  { owner }: { readonly owner: number },
): Editable | undefined {
  const record = apps.get(owner)?.journeys.get(id)?.record;
  return record && { key: id, etag: journeyEtag(record), changedMs: record.updatedMs };
}
