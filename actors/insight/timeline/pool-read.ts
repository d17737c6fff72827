// The pool reads of timelines and of what was sent.

import type { Millis, Ordinal, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { PoolRead } from '../../pool-question.ts';
import type { TimelinePlace } from './page.ts';
import type { SendDetails, SentFacts, SentPreview, StoryEntry } from './protocol.ts';

/** The task, with all that only memory knows. */
export interface TimelineRead {
  readonly app: Ordinal;
  readonly person: PersonOrdinal;
  readonly aliases: readonly PersonOrdinal[];
  readonly erased: readonly PersonOrdinal[];
  readonly keptFromMs: Millis;
  readonly readMs: Millis;
  readonly open: readonly SendDetails[];
  readonly place: TimelinePlace;
  readonly limit: number;
}

export interface TimelineFound {
  readonly items: readonly StoryEntry[];
  readonly nextCursor: string | null;
}

export const timelineRead: PoolRead<TimelineRead, TimelineFound> = {
  name: 'timeline',
  of: 'events',
};

/** Composes without reading anything stored. */
export const sentRead: PoolRead<SentFacts, SentPreview> = { name: 'sent', of: 'the message' };
