// Holds a list that moves by itself still, while newer rows wait above it.

import { useState } from 'react';

interface Keyed {
  readonly id: string;
}

interface Hold<Item> {
  /** What is shown: `undefined` until it is known. */
  readonly items: readonly Item[] | undefined;
  readonly isPaused: boolean;
  /** How many came since, and whether there are more than the list has read. */
  readonly waiting: number;
  readonly isMore: boolean;
  toggle(): void;
}

/** `of` names what the list is about: another filter is held as it is found. */
export function useHold<Item extends Keyed>(
  items: readonly Item[] | undefined,
  of: string,
): Hold<Item> {
  const [held, setHeld] = useState<{ readonly of: string; readonly items: readonly Item[] }>();
  if (held !== undefined && held.of !== of && items !== undefined) setHeld({ of, items });
  const toggle = () => setHeld(held === undefined ? { of, items: items ?? [] } : undefined);
  const isPaused = held !== undefined;
  if (items === undefined || held === undefined || held.of !== of)
    return { items, isPaused, waiting: 0, isMore: false, toggle };
  const known = new Set(held.items.map(({ id }) => id));
  const at = held.items.length === 0 ? items.length : items.findIndex(({ id }) => known.has(id));
  return at < 0
    ? { items: held.items, isPaused, waiting: items.length, isMore: true, toggle }
    : { items: items.slice(at), isPaused, waiting: at, isMore: false, toggle };
}
