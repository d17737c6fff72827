// Segments, followed segments, and the columns that filters use.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import type { Area, Editable } from '../../area.ts';
import { ChangedFacts } from '../../events/facts.ts';
import { isChoiceTag } from '../../people/topics/choice-tag.ts';
import type { RecallsBy } from '../../recall.ts';
import { answerSearch } from './answer-search.ts';
import { segmentsApplies } from './apply.ts';
import { answerFilter, answerKept } from './counted.ts';
import { segmentsDecisions } from './decide.ts';
import { fieldsDecisions } from './fields.ts';
import { windowBeyond } from './kept-windows.ts';
import { membershipDecisions } from './membership.ts';
import { MembershipClock } from './membership-clock.ts';
import { type SegmentsMemory, type SegmentsView, segmentsOfApp } from './memory.ts';
import { namesDecisions } from './names.ts';
import type { SegmentsEntry } from './protocol.ts';
import { searchDecisions } from './search.ts';
import { segmentEtag } from './segment-etag.ts';
import { traitsOf } from './traits-of.ts';

type TraitsChanged = Extract<SegmentsEntry, { kind: 'traits.changed' }>;

/** What changes of columns mean to others: these people may be in other segments now. */
const segmentsFacts = {
  'traits.changed': ({ people, unproven }: TraitsChanged) =>
    new ChangedFacts(
      people.map(({ person }) => person),
      unproven !== true,
    ),
};

export const segmentsArea = {
  name: 'segments',
  app: segmentsOfApp,
  clock: () => new MembershipClock(),
  refuses: { 'settings.patch': windowBeyond },
  derive: traitsOf,
  decide: () => ({
    ...segmentsDecisions,
    ...membershipDecisions,
    ...namesDecisions,
    ...fieldsDecisions,
    ...searchDecisions,
  }),
  apply: segmentsApplies,
  facts: segmentsFacts,
  recalls: {
    'traits.changed': (_state, { people }) => ({ people: reachChanged(people) }),
  } satisfies RecallsBy<SegmentsEntry, SegmentsMemory>,
  silent: [
    'names.changed',
    'segment.saved',
    'segment.deleted',
    'segment.watched',
    'segment.unwatched',
    'segment.changed',
  ],
  edits: {
    'segment.update': segmentOf,
  },
  ends: {
    'segment.delete': segmentOf,
  },
  stored: {
    sums: [['content', ({ segments }) => segments.bytes]],
    growth: {
      'segment.saved': (
        { segments },
        { segment }: Extract<SegmentsEntry, { kind: 'segment.saved' }>,
      ) => segments.growth(segment.id, segment),
    },
  },
  asks: {
    'segment.preview': answerFilter,
    'segment.explain': answerFilter,
    'segment.members': answerFilter,
    'segment.watch': answerFilter,
    'segments.of_person': answerKept('segments.uncounted_of'),
    'people.search': answerSearch,
  },
  whenDiskIsFull: [
    'segment.read',
    'segment.list',
    'segment.uses',
    'segments.uncounted_of',
    'segments.of_person',
    'segment.uncounted',
    'segment.preview',
    'segment.explain',
    'segment.delete',
    'segment.members',
    'segment.review', // of what was let through: followers must not miss it
    'segment.reconcile',
    'segment.membership',
    'names.list',
    'fields.names',
    'fields.tags',
    'fields.events',
    'people.fold_names',
    'people.search',
    'names.drop_event',
    'names.drop_tag',
    'names.trim',
  ],
  on: {
    personErased: ({ traits, contact }, { person }) => {
      traits.erase(person);
      contact.forget(person);
    },
    eventsGone: ({ traits }, beforeMs) => {
      traits.goneBeforeMs = beforeMs;
    },
    clockRebased: ({ apps }) => {
      for (const { traits, settings } of apps.values())
        traits.goneBeforeMs = settings.goneBeforeMs ?? 0;
    },
    peopleExpired: ({ traits, contact }, people) => {
      for (const person of people) {
        traits.erase(person);
        contact.forget(person);
      }
    },
    personMerged: ({ traits, contact }, { person, into }) => {
      traits.merge(person, into);
      contact.forget(person);
    },
  },
} as const satisfies Area<never, SegmentsMemory, SegmentsView, object>;

/** Who can be reached in other ways, or is in other topics, now. */
function* reachChanged(
  people: Extract<SegmentsEntry, { kind: 'traits.changed' }>['people'],
): Generator<PersonOrdinal> {
  for (const { person, tags = {}, ...contact } of people)
    if (Object.keys(contact).length > 0 || Object.keys(tags).some(isChoiceTag)) yield person;
}

/** Which messages change or delete a segment. */
function segmentOf(
  { apps }: SegmentsMemory,
  { id }: { readonly id: string },
  { owner }: { readonly owner: number },
): Editable | undefined {
  const record = apps.get(owner)?.segments.get(id);
  return record && { key: id, etag: segmentEtag(record), changedMs: record.updatedMs };
}
