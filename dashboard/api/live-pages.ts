// Brings what the live stream says of a list into its pages, which may be more than the first.

import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { OperationName } from './client.ts';

export interface Keyed {
  readonly id: string;
}

interface Page {
  readonly items: readonly Keyed[];
}

/**
 * Lists keep their pages, and rows that they show get their newest state. A list that may have to
 * gain or lose rows has to be read again: the server knows its filter and its order. Whether one
 * has.
 */
export function mergePages(
  client: QueryClient,
  name: OperationName,
  items: readonly Keyed[],
): boolean {
  const newest = new Map(items.map((one) => [one.id, one]));
  let lacks = false;
  for (const query of client.getQueryCache().findAll({ queryKey: [name] })) {
    const answer = query.state.data as InfiniteData<Page> | Page | undefined;
    if (answer === undefined) continue;
    const pages = 'pages' in answer ? answer.pages : [answer];
    const merged = pages.map((page) => mergedPage(page, newest));
    if (merged.some((page, at) => page !== pages[at]))
      query.setData('pages' in answer ? { ...answer, pages: merged } : merged[0]);
    lacks ||= mayLack(pages, newest, query.queryKey[1]);
  }
  return lacks;
}

function mergedPage(page: Page, newest: ReadonlyMap<string, Keyed>): Page {
  const isOld = page.items.some(
    (one) => newest.has(one.id) && JSON.stringify(newest.get(one.id)) !== JSON.stringify(one),
  );
  return isOld ? { ...page, items: page.items.map((one) => newest.get(one.id) ?? one) } : page;
}

const filters = [
  'state',
  'q',
  'archived',
  'status',
  'channel',
  'template',
  'from',
  'event',
  'type',
];

function mayLack(
  pages: readonly Page[],
  newest: ReadonlyMap<string, Keyed>,
  args: unknown,
): boolean {
  const shown = new Set(pages.flatMap(({ items }) => items.map(({ id }) => id)));
  const { query = {} } = (args ?? {}) as { readonly query?: Readonly<Record<string, unknown>> };
  const isFiltered = filters.some((name) => query[name] !== undefined);
  return isFiltered || [...newest.keys()].some((id) => !shown.has(id));
}

/**
 * The pages with a new first one. The older ones stay, from the last row on that both have;
 * `undefined` if they have none in common, because rows between them would be missing.
 */
export function withFirstPage<
  Item,
  First extends { readonly items: readonly Item[]; readonly nextCursor: string | null },
>(
  { pages, pageParams }: InfiniteData<First>,
  first: First,
  keyOf: (item: Item) => string,
): InfiniteData<First> | undefined {
  if (pages.length < 2) return { pages: [first], pageParams: pageParams.slice(0, 1) };
  const keys = new Set(first.items.map(keyOf));
  const at = pages.findLastIndex(({ items }) => items.some((item) => keys.has(keyOf(item))));
  const meets = pages[at];
  if (meets === undefined) return undefined;
  const older = meets.items.slice(meets.items.findLastIndex((item) => keys.has(keyOf(item))) + 1);
  const joined = { ...first, items: [...first.items, ...older], nextCursor: meets.nextCursor };
  return {
    pages: [joined, ...pages.slice(at + 1)],
    pageParams: [...pageParams.slice(0, 1), ...pageParams.slice(at + 1)],
  };
}
