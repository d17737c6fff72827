// Reading and changing with a cache: each answer is kept by operation and arguments, shown at once
// and asked for again behind it.

import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  usePrefetchInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import {
  type AnswerOf,
  type ArgumentsOf,
  call,
  type OperationName,
  refreshAfter,
} from './client.ts';
import { asApiError } from './errors.ts';
import { type BaseOf, callOver, TheirsKept } from './saves.ts';

interface ReadOptions<Answer = unknown> {
  readonly enabled?: boolean;
  /** Shows the answer for other arguments until the new one is there. */
  readonly keepPrevious?: boolean;
  /** Asks again after so long, while the page is visible; an answer may decide it. */
  readonly everyMs?: number | false | ((answer: Answer | undefined) => number | false);
}

/** The answer of a GET, or of a POST that only reads. */
export function useRead<Name extends OperationName>(
  name: Name,
  args: ArgumentsOf<Name>,
  { enabled = true, keepPrevious = false, everyMs = false }: ReadOptions<AnswerOf<Name>> = {},
) {
  const result = useQuery<unknown>({
    queryKey: [name, args],
    queryFn: ({ signal }) => call(name, args, { signal }),
    enabled,
    refetchInterval:
      typeof everyMs === 'function'
        ? ({ state }) => everyMs(state.data as AnswerOf<Name> | undefined)
        : everyMs,
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
  });
  // Not a copy: React Query draws again for the members that were read alone. A copy reads them
  // all, and an answer that is asked for again and stays as it is was drawn twice.
  return {
    get data() {
      return result.data as AnswerOf<Name> | undefined;
    },
    get error() {
      return result.error === null ? undefined : asApiError(result.error);
    },
    get isLoading() {
      return result.isLoading;
    },
    get isPending() {
      return result.isPending;
    },
    get isFetching() {
      return result.isFetching;
    },
    get isPlaceholderData() {
      return result.isPlaceholderData;
    },
    refetch: result.refetch,
  };
}

/** Operations whose answer is a page of a list. */
type ListName = {
  [Name in OperationName]: AnswerOf<Name> extends {
    readonly items: readonly unknown[];
    readonly nextCursor: string | null;
  }
    ? Name
    : never;
}[OperationName];

type ItemOf<Name extends ListName> =
  AnswerOf<Name> extends {
    readonly items: readonly (infer Item)[];
  }
    ? Item
    : never;

/** A list, page by page. */
export function useList<Name extends ListName>(
  name: Name,
  args: ArgumentsOf<Name>,
  {
    enabled = true,
    everyMs = false,
  }: {
    readonly enabled?: boolean;
    /** Asks again after so long, while the page is visible; the items may decide it. */
    readonly everyMs?: number | false | ((items: readonly ItemOf<Name>[]) => number | false);
  } = {},
) {
  type Page = AnswerOf<Name> & {
    readonly items: readonly ItemOf<Name>[];
    readonly total?: number | null;
  };
  const result = useInfiniteQuery({
    ...pagesOf(name, args),
    getNextPageParam: (page) => (page as { nextCursor: string | null }).nextCursor ?? undefined,
    enabled,
    refetchInterval:
      typeof everyMs === 'function'
        ? ({ state }) =>
            everyMs(
              ((state.data?.pages ?? []) as unknown as readonly Page[]).flatMap(
                ({ items }) => items,
              ),
            )
        : everyMs,
  });
  const pages = result.data?.pages as readonly Page[] | undefined;
  return {
    items: pages?.flatMap(({ items }) => items),
    first: pages?.[0],
    total: pages?.[0]?.total ?? undefined,
    hasMore: result.hasNextPage,
    more: () => void (result.isFetchingNextPage || result.fetchNextPage()),
    isLoading: result.isPending && enabled,
    error: result.error === null ? undefined : asApiError(result.error),
    again: () => void result.refetch(),
  };
}

/** Asks for the first page of a list before what shows it is drawn. */
export function useListAhead<Name extends ListName>(name: Name, args: ArgumentsOf<Name>): void {
  usePrefetchInfiniteQuery(pagesOf(name, args));
}

function pagesOf<Name extends ListName>(name: Name, args: ArgumentsOf<Name>) {
  return {
    queryKey: [name, args, 'pages'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }: { signal: AbortSignal; pageParam: string | undefined }) => {
      const { query } = args as unknown as { readonly query?: object };
      return call(
        name,
        {
          ...args,
          query: { limit: 100, ...query, cursor: pageParam },
        } as unknown as ArgumentsOf<Name>,
        { signal },
      );
    },
  };
}

/** What to do when the change is answered, unless the person has gone to another page. */
interface Then<Answer> {
  readonly onSuccess?: (answer: Answer) => void;
  /** The save was given up for what someone else saved, which is this, where it can be read. */
  readonly onTheirs?: (theirs: Answer) => void;
  /** The same, also where it cannot be read. */
  readonly onGivenUp?: () => void;
  readonly onError?: (error: Error) => void;
}

export type Asked<Name extends OperationName> = ArgumentsOf<Name> &
  BaseOf<Name> & { idempotencyKey?: string };

/**
 * A change. What it makes stale is asked for again once it is done. The callbacks of `mutate` also
 * run if a new answer has closed the dialog that made the change.
 */
export function useAct<Name extends OperationName>(name: Name) {
  const act = useAnyAct<Name>();
  return {
    ...act,
    mutateAsync: (args: Asked<Name>) => act.mutateAsync({ ...args, name }),
    mutate: (args: Asked<Name>, then?: Then<AnswerOf<Name>>) => act.mutate({ ...args, name }, then),
  };
}

/** A change that names its operation with its arguments. */
export function useAnyAct<Name extends OperationName>() {
  type Named = Asked<Name> & { readonly name: Name };
  const client = useQueryClient();
  const refresh = (args: Named) =>
    refreshAfter(
      client,
      args.name,
      (args as unknown as { readonly path?: Record<string, string> }).path,
    );
  const result = useMutation<AnswerOf<Name>, Error, Named>({
    mutationFn: ({ name, idempotencyKey, base, ...args }) =>
      callOver(
        name,
        args as unknown as ArgumentsOf<Name>,
        base ?? null,
        idempotencyKey === undefined ? {} : { idempotencyKey },
      ),
    onSuccess: (_answer, args) => refresh(args),
    onError: (error, args) => (error instanceof TheirsKept ? refresh(args) : undefined),
  });
  const isThere = useRef(false);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
    };
  }, []);
  const mutateAsync = result.mutateAsync as (args: Named) => Promise<AnswerOf<Name>>;
  const mutate = (
    args: Named,
    { onSuccess, onError, onTheirs, onGivenUp }: Then<AnswerOf<Name>> = {},
  ) => {
    const { pathname } = location;
    const isWanted = () => isThere.current || location.pathname === pathname;
    mutateAsync(args).then(
      (answer) => isWanted() && onSuccess?.(answer),
      (error: Error) => {
        if (!isWanted()) return;
        if (!(error instanceof TheirsKept)) return onError?.(error);
        onGivenUp?.();
        if (error.theirs !== undefined) onTheirs?.(error.theirs as AnswerOf<Name>);
      },
    );
  };
  const isGivenUp = result.error === null || result.error instanceof TheirsKept;
  const error = isGivenUp ? undefined : asApiError(result.error);
  return { ...result, mutate, mutateAsync, error };
}

/** Fetches ahead, on hover or focus, what a screen will ask for. */
export function useFetchAhead() {
  const client = useQueryClient();
  return <Name extends OperationName>(name: Name, args: ArgumentsOf<Name>) =>
    void client.prefetchQuery({
      queryKey: [name, args],
      queryFn: ({ signal }) => call(name, args, { signal }),
    });
}
