// The names of the campaigns and journeys that a story tells of, as they are now. What was deleted
// has none.

import type { NamedId, StoryEntry } from './protocol.ts';

type Tells = Pick<StoryEntry, 'campaignId' | 'journeyId'>;

interface Named {
  readonly campaigns: { get(id: string): { readonly name: string } | undefined };
  readonly journeys: {
    get(id: string): { readonly record: { readonly name: string } } | undefined;
  };
}

/** The campaigns and journeys that entries tell of, each once. */
export function toldOf(entries: readonly Tells[]): readonly string[] {
  const ids = new Set(entries.flatMap(({ campaignId, journeyId }) => [campaignId, journeyId]));
  return [...ids].filter((id) => id !== undefined);
}

export function namesOf(
  { campaigns, journeys }: Named,
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
