// A filter in the address, so that a link leads to the same people.

import { useMemo } from 'react';
import type { Filter } from '../api/generated.ts';
import { useQueryParam } from '../ui/address.ts';
import { parseFilterText } from './model.ts';

export const filterParam = 'filter';

export function filterInAddress(filter: Filter | undefined): string | undefined {
  return filter === undefined ? undefined : JSON.stringify(filter);
}

/** The filter of the address; one that cannot be read counts as none. */
export function useFilterParam(): readonly [
  Filter | undefined,
  (filter: Filter | undefined) => void,
] {
  const [text, setText] = useQueryParam(filterParam);
  const filter = useMemo(() => {
    const parsed = parseFilterText(text ?? '');
    return 'filter' in parsed ? parsed.filter : undefined;
  }, [text]);
  return [filter, (next) => setText(filterInAddress(next))];
}
