// The names of the campaigns and journeys that a story tells of, as they are now. What was deleted
// has none.

import type { StoryEntry } from './protocol.ts';
import type { TimelineView } from './view.ts';

type Tells = Pick<StoryEntry, 'campaignId' | 'journeyId'>;

/** An id and its name. */
export type NamedId = readonly [id: string, name: string];

/** The campaigns and journeys that entries tell of, each once. */
export function toldOf(entries: readonly Tells[]): readonly string[] {
  const ids = new Set(entries.flatMap(({ campaignId, journeyId }) => [campaignId, journeyId]));
  return [...ids].filter((id) => id !== undefined);
}

export function namesOf(
  { campaigns, journeys }: Pick<TimelineView, 'campaigns' | 'journeys'>,
  ids: readonly string[],
): readonly NamedId[] {
  return ids.flatMap((id): readonly NamedId[] => {
    const name = campaigns.get(id)?.name ?? journeys.get(id)?.record.name;
    return name === undefined ? [] : [[id, name]];
  });
}

export function withNames(
  entries: readonly StoryEntry[],
  names: readonly NamedId[],
): readonly StoryEntry[] {
  const known = new Map(names);
  return entries.map((entry) => {
    const campaignName = known.get(entry.campaignId ?? '');
    const journeyName = known.get(entry.journeyId ?? '');
    if (campaignName === undefined && journeyName === undefined) return entry;
    return {
      ...entry,
      ...(campaignName === undefined ? {} : { campaignName }),
      ...(journeyName === undefined ? {} : { journeyName }),
    };
  });
}
