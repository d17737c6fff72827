// Filters of a list, each a parameter of the address.

import { useMemo } from 'react';
import { useQueryParam } from '../ui/address.ts';
import { SelectBox } from '../ui/choices.tsx';
import { SearchBox } from '../ui/input.tsx';

/** Search by text: `?q=`. */
export function SearchParam({
  label,
  name = 'q',
}: {
  readonly label: string;
  readonly name?: string;
}) {
  const [text, set] = useQueryParam(name);
  return <SearchBox label={label} value={text ?? ''} onChange={set} />;
}

/** One of several values, or `none` of them. */
export function FilterParam({
  name,
  label,
  none,
  choices,
}: {
  readonly name: string;
  readonly label: string;
  /** What it says when it filters nothing. */
  readonly none: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
}) {
  const [value, set] = useQueryParam(name);
  return (
    <SelectBox
      isAuto
      label={label}
      choices={[{ value: '', label: none }, ...choices]}
      value={value ?? ''}
      onChange={set}
    />
  );
}

/** The members that are set. */
export function given<Members extends object>(members: Members) {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    readonly [Name in keyof Members]?: Exclude<Members[Name], undefined>;
  };
}

/** What a list asks for: the newest first, and what the search says. */
export function useSearchQuery() {
  const [q] = useQueryParam('q');
  return { order: 'newest' as const, ...given({ q }) };
}

/**
 * What the search finds in a list that is all here: the items whose text contains it, whatever the
 * case of letters. Where the API searches, `useSearchQuery` asks it.
 */
export function useFoundAmongLoaded<Item>(
  items: readonly Item[] | undefined,
  textOf: (item: Item) => string,
): readonly Item[] | undefined {
  const [q = ''] = useQueryParam('q');
  // biome-ignore lint/correctness/useExhaustiveDependencies: `textOf` stays what it is
  return useMemo(
    () => items?.filter((one) => textOf(one).toLowerCase().includes(q.trim().toLowerCase())),
    [items, q],
  );
}
