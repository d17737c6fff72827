// Rows of a table from the API: page after page by cursor, or any page by its offset.

import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { type ApiError, asApiError } from '../api/errors.ts';
import type { Rows, Selection } from './table.tsx';

/** Rows of a list read by cursor (`useList`). */
export function useCursorRows<Row>(list: {
  readonly items: readonly Row[] | undefined;
  readonly total: number | undefined;
  readonly hasMore: boolean;
  more(): void;
  readonly error: ApiError | undefined;
  again(): void;
}): Rows<Row> {
  const { items, hasMore, error } = list;
  const latest = useRef(list);
  latest.current = list;
  return useMemo(() => {
    const known = items?.length ?? 0;
    const all = items === undefined ? undefined : known + (hasMore ? 1 : 0);
    return {
      total: hasMore ? Math.max(list.total ?? 0, all ?? 0) : all,
      ...(hasMore && (list.total ?? 0) < (all ?? 0) ? { known } : {}),
      at: (index) => items?.[index],
      need: (_from, to) => {
        if (to > known && latest.current.hasMore) latest.current.more();
      },
      error,
      again: () => latest.current.again(),
    };
  }, [items, hasMore, error, list.total]);
}

/** Rows that are all here. */
export function useAllRows<Row>(items: readonly Row[] | undefined, error?: ApiError): Rows<Row> {
  return useMemo(
    () => ({
      total: items?.length,
      at: (index) => items?.[index],
      need: () => undefined,
      error,
      again: () => undefined,
    }),
    [items, error],
  );
}

interface OffsetPage<Row> {
  readonly items: readonly Row[];
  readonly total: number;
}

const pageRows = 100;

/** Rows of a list with offsets: only pages in sight are read, so any place is one call away. */
export function useOffsetRows<Row>(options: {
  /** Names the list, with its filter. */
  readonly key: readonly unknown[];
  read(page: {
    readonly offset: number;
    readonly limit: number;
    readonly signal: AbortSignal;
  }): Promise<OffsetPage<Row>>;
}): Rows<Row> {
  const { key, read } = options;
  const [range, setRange] = useState<readonly [number, number]>([0, 1]);
  const [fromPage, toPage] = range;
  const pages = useQueries({
    queries: Array.from({ length: toPage - fromPage }, (_, nth) => ({
      queryKey: [...key, fromPage + nth] as const,
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        read({ offset: (fromPage + nth) * pageRows, limit: pageRows, signal }),
      placeholderData: keepPreviousData,
    })),
  });
  const found = pages.find(({ data }) => data !== undefined)?.data;
  // A jump leaves all pages behind: without the total the list would shrink, and scroll to its top.
  const name = JSON.stringify(key);
  const known = useRef<{ readonly name: string; readonly total: number }>(undefined);
  if (found !== undefined) known.current = { name, total: found.total };
  const before = known.current?.name === name ? known.current.total : undefined;
  const error = pages.find((page) => page.error !== null)?.error;
  return {
    total: found?.total ?? before,
    at: (index) => {
      const page = pages[Math.floor(index / pageRows) - fromPage];
      return page?.isPlaceholderData === true ? undefined : page?.data?.items[index % pageRows];
    },
    need: (from, to) => {
      const first = Math.floor(from / pageRows);
      const next = Math.max(Math.ceil(to / pageRows), first + 1);
      if (first !== fromPage || next !== toPage) setRange([first, next]);
    },
    error: error === undefined || error === null ? undefined : asApiError(error),
    again: () => {
      for (const page of pages) void page.refetch();
    },
  };
}

export function useSelection(): Selection {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  return {
    keys,
    toggle: (key) =>
      setKeys((before) => {
        const next = new Set(before);
        if (!next.delete(key)) next.add(key);
        return next;
      }),
    clear: () => setKeys(new Set()),
  };
}
