// The table of people: search, filter, order and columns stand in the address. Rows are read by
// their number, so a million of them scroll like a hundred.

import { useState } from 'react';
import { useLocation } from 'wouter';
import { call } from '../../api/client.ts';
import type { Filter, Subscriber } from '../../api/generated.ts';
import { useFetchAhead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { useFilterParam } from '../../filter/address.ts';
import { everybody } from '../../filter/everybody.ts';
import { isConditionComplete } from '../../filter/kinds.ts';
import { completed, conditionCount } from '../../filter/model.ts';
import { appPath, useQueryParam } from '../../ui/address.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { SelectBox } from '../../ui/choices.tsx';
import { SearchBox } from '../../ui/input.tsx';
import { useShortcuts } from '../../ui/keys.ts';
import { late } from '../../ui/late.tsx';
import { useIsNarrow } from '../../ui/media.ts';
import { useOffsetRows, useSelection } from '../../ui/rows.ts';
import { ScreenHead } from '../../ui/screen.tsx';
import { type Selection, Table } from '../../ui/table.tsx';
import { counted } from '../../words/counted.ts';
import type { BulkWho } from './bulk.ts';
import { peopleColumns } from './columns.tsx';
import { ColumnsMenu, useTagColumns } from './columns-menu.tsx';
import { ExportMenu } from './export-menu.tsx';
import { NoPeople } from './no-people.tsx';
import { SegmentChip } from './segment-chip.tsx';
import { words } from './words.ts';

const FilterPanel = late(() => import('./filter-panel.tsx').then((file) => file.FilterPanel));
const SelectionActions = late(() =>
  import('./selection-actions.tsx').then((file) => file.SelectionActions),
);

type Order = keyof typeof words.orders;
const orders = Object.keys(words.orders) as readonly Order[];

export function PeopleTable() {
  const app = useApp();
  const [, go] = useLocation();
  const [q] = useQueryParam('q');
  const [segmentId, setSegment] = useQueryParam('segment');
  const [orderText] = useQueryParam('order');
  const [filter, setFilter] = useFilterParam();
  const [isFilterOpen, setFilterOpen] = useState(filter !== undefined);
  const [tags, setTags] = useTagColumns(app.id);
  const order = orders.find((one) => one === orderText) ?? 'newest';
  const search = usePeople({ q, segmentId, filter, order, tags });
  const { selection, isAll, setAll } = useSelectionOfAll(search.total);
  const ahead = useFetchAhead();
  useShortcuts([
    { keys: 'f', label: words.filter, run: () => setFilterOpen((isOpen) => !isOpen) },
    { keys: 'c', label: words.import, run: () => go(appPath(app.id, 'import')) },
  ]);
  const isNarrowed = q !== undefined || filter !== undefined || segmentId !== undefined;
  const toImport = appPath(app.id, 'import');
  return (
    <>
      <ScreenHead
        title={words.title}
        actions={
          <>
            <ExportMenu segmentId={segmentId} isFiltered={filter !== undefined} />
            <ButtonLink kind="primary" icon="upload" to={toImport}>
              {words.import}
            </ButtonLink>
          </>
        }
      />
      <SearchBar
        filter={filter}
        order={order}
        tags={tags}
        onTags={setTags}
        onFilter={() => setFilterOpen(!isFilterOpen)}
      />
      {isFilterOpen && (
        <FilterPanel
          filter={filter}
          onChange={(next) => {
            // The API reads either a filter or a segment.
            if (next !== undefined && segmentId !== undefined) setSegment(undefined);
            setFilter(next);
          }}
          onClose={() => setFilterOpen(false)}
        />
      )}
      <div className="screen-fill">
        <Table
          label={words.title}
          counted={counted.people}
          rows={search}
          columns={peopleColumns(tags)}
          keyOf={({ id }) => id}
          to={({ id }) => appPath(app.id, 'people', id)}
          onNear={({ id }) => ahead('readSubscriber', { path: { appId: app.id, id } })}
          selection={selection}
          selectionActions={
            <SelectionActions
              selection={selection}
              everyone={everyoneOf({ q, segmentId, filter })}
              total={search.total}
              isAll={isAll}
              onAll={() => setAll(true)}
            />
          }
          empty={<NoPeople isNarrowed={isNarrowed} />}
        />
      </div>
    </>
  );
}

/** Above the table: search, filter, segment, order and columns. */
function SearchBar({
  filter,
  order,
  tags,
  onTags,
  onFilter,
}: {
  readonly filter: Filter | undefined;
  readonly order: Order;
  readonly tags: readonly string[];
  readonly onTags: (tags: readonly string[]) => void;
  readonly onFilter: () => void;
}) {
  const [q, setQ] = useQueryParam('q');
  const [segmentId, setSegment] = useQueryParam('segment');
  const [, setOrder] = useQueryParam('order');
  const isNarrow = useIsNarrow();
  const count = conditionCount(filter);
  return (
    <div className="screen-bar">
      <SearchBox label={words.search} value={q ?? ''} onChange={setQ} />
      <Button icon="filter" onClick={onFilter}>
        {count === 0 ? words.filter : words.filtered(count)}
      </Button>
      {segmentId !== undefined && (
        <SegmentChip id={segmentId} onLeave={() => setSegment(undefined)} />
      )}
      <span className="grow" />
      <SelectBox<Order>
        isAuto
        label={words.order}
        value={order}
        choices={orders.map((one) => ({ value: one, label: words.orders[one] }))}
        onChange={setOrder}
      />
      {!isNarrow && <ColumnsMenu tags={tags} onChange={onTags} />}
    </div>
  );
}

interface Asked {
  readonly q: string | undefined;
  readonly segmentId: string | undefined;
  readonly filter: ReturnType<typeof useFilterParam>[0];
  readonly order: Order;
  readonly tags: readonly string[];
}

function usePeople({ q, segmentId, filter, order, tags }: Asked) {
  const app = useApp();
  // Conditions that are not filled in yet do not empty the table.
  const ready = filter === undefined ? undefined : completed(filter, isConditionComplete).filter;
  const body = {
    order,
    tags,
    ...(q === undefined ? {} : { q }),
    ...(segmentId === undefined || ready !== undefined ? {} : { segmentId }),
    ...(ready === undefined ? {} : { filter: ready }),
  };
  return useOffsetRows<Subscriber>({
    key: ['searchSubscribers', app.id, body],
    read: ({ offset, limit, signal }) =>
      call(
        'searchSubscribers',
        { path: { appId: app.id }, body: { ...body, offset, limit } },
        { signal },
      ),
  });
}

/** Rows one by one, or all that match: a change of one row ends the choice of all. */
function useSelectionOfAll(total: number | undefined) {
  const [isAll, setAll] = useState(false);
  const chosen = useSelection();
  const selection: Selection = {
    ...chosen,
    ...(isAll && total !== undefined ? { all: total } : {}),
    toggle: (key) => {
      setAll(false);
      chosen.toggle(key);
    },
    clear: () => {
      setAll(false);
      chosen.clear();
    },
  };
  return { selection, isAll, setAll };
}

/** All who match, as a bulk change names them; a search by text has no such name. */
function everyoneOf({
  q,
  segmentId,
  filter,
}: Pick<Asked, 'q' | 'segmentId' | 'filter'>): BulkWho | undefined {
  if (q !== undefined) return undefined;
  if (filter !== undefined) return conditionsAreComplete(filter) ? { filter } : undefined;
  return segmentId === undefined ? { filter: everybody } : { segmentId };
}

function conditionsAreComplete(filter: Filter): boolean {
  return completed(filter, isConditionComplete).left.length === 0;
}
