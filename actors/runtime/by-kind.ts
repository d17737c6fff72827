// Collects a member of all areas that has something for each kind of message or entry.

import { type AnyArea, areas } from './areas.ts';

export function byKind(pick: (area: AnyArea) => object | undefined): ReadonlyMap<string, unknown> {
  return new Map(areas.flatMap((area) => Object.entries(pick(area) ?? {})));
}
