// The one table of the dashboard: only the rows in sight are in the page, whatever their number.
// Arrow keys, j and k move, Enter opens, x selects. On a phone each row has two lines.

import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Link, useLocation } from 'wouter';
import type { ApiError } from '../api/errors.ts';
import { words } from '../words/en.ts';
import { type PluralForms, plural } from '../words/plural.ts';
import { classNames } from './class-names.ts';
import { focusLater } from './focus-later.ts';
import { useShortcuts } from './keys.ts';
import { useIsNarrow } from './media.ts';
import { ErrorNote } from './note.tsx';
import { rowWindow, scrollToRow } from './row-window.ts';

const rowPxWide = 36;
const rowPxNarrow = 60;
const headPx = 34;
const beyondRows = 8;
const greyRows = 8;

export interface Column<Row> {
  readonly id: string;
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** A CSS grid track; `minmax(0, 1fr)` by default. */
  readonly width?: string;
  readonly isNumber?: boolean;
  /** Where it stands on a phone; elsewhere it is left out there. */
  readonly narrow?: 'title' | 'sub' | 'side' | 'side-sub';
}

/** Rows by number; those that are not here yet are asked for by `need`. */
export interface Rows<Row> {
  /** Of all rows, or `undefined` while unknown. */
  readonly total: number | undefined;
  /** Of the rows that are known, where there are more. */
  readonly known?: number;
  at(index: number): Row | undefined;
  /** Asks for rows `from` to before `to`. */
  need(from: number, to: number): void;
  readonly error: ApiError | undefined;
  again(): void;
}

export interface Selection {
  readonly keys: ReadonlySet<string>;
  /** Everything is selected, also what is not here: so many. */
  readonly all?: number;
  toggle(key: string): void;
  clear(): void;
}

interface TableProps<Row> {
  readonly label: string;
  /** What the rows are. */
  readonly counted: PluralForms;
  readonly rows: Rows<Row>;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** Where a row leads. */
  readonly to?: (row: Row) => string;
  /** Fetches ahead what `to` will show. */
  readonly onNear?: (row: Row) => void;
  readonly selection?: Selection;
  readonly selectionActions?: ReactNode;
  /** Shown when there are no rows. */
  readonly empty: ReactNode;
  readonly foot?: ReactNode;
}

export function Table<Row>(props: TableProps<Row>) {
  const { label, rows, columns, selection, empty, foot } = props;
  const isNarrow = useIsNarrow();
  const shown = isNarrow ? narrowOrder(columns) : columns;
  const [active, setActive] = useState(0);
  const rowPx = isNarrow ? rowPxNarrow : rowPxWide;
  const total = rows.total ?? greyRows;
  const { scroll, view, onScroll } = useScroll();
  const box = rowWindow({
    rows: total,
    rowPx,
    viewPx: Math.max(view - (isNarrow ? 0 : headPx), rowPx),
    scrollPx: scroll.current?.scrollTop ?? 0,
    beyond: beyondRows,
  });
  const { from, to } = box;
  useEffect(() => rows.need(from, to), [rows, from, to]);

  const focusRow = useRowFocus(scroll);
  const moveTo = (row: number) => {
    const next = Math.min(Math.max(row, 0), total - 1);
    const pane = scroll.current;
    if (pane !== null)
      pane.scrollTop = scrollToRow({
        row: next,
        rows: total,
        rowPx,
        viewPx: view - (isNarrow ? 0 : headPx),
        scrollPx: pane.scrollTop,
      });
    setActive(next);
    focusLater(() => focusRow(next));
  };
  useRowKeys(rows.total !== undefined && rows.total > 0, {
    move: (by) => moveTo(scroll.current?.contains(document.activeElement) ? active + by : active),
    ...(selection === undefined
      ? {}
      : {
          toggle: () => {
            const row = rows.at(active);
            moveTo(active);
            if (row !== undefined) selection.toggle(props.keyOf(row));
          },
        }),
  });

  if (rows.error !== undefined && rows.total === undefined)
    return <ErrorNote error={rows.error} onAgain={rows.again} />;
  if (rows.total === 0) return <div className="table short table-empty">{empty}</div>;

  const tracks = shown.map(({ width = 'minmax(0, 1fr)' }) => width);
  if (selection !== undefined) tracks.unshift('24px');
  const style = {
    '--columns': tracks.join(' '),
    '--row': `${rowPx}px`,
  } as CSSProperties;
  return (
    <div
      className={classNames('table', isNarrow && 'narrow', selection && 'selectable')}
      style={style}
    >
      {selection !== undefined && selection.keys.size > 0 && (
        <div className="selection-bar" role="toolbar" aria-label={words.table.selected}>
          <strong>{words.table.selectedCount(selection.all ?? selection.keys.size)}</strong>
          {props.selectionActions}
        </div>
      )}
      <span className="sr-only" role="status">
        {footText(props)}
      </span>
      <div
        ref={scroll}
        className="table-scroll"
        role="grid"
        aria-label={label}
        aria-rowcount={rows.total === undefined ? -1 : total + 1}
        aria-busy={rows.total === undefined}
        aria-multiselectable={selection !== undefined || undefined}
        onScroll={onScroll}
        onKeyDown={(event) =>
          onKey(event, {
            active: focusedRow() ?? active,
            moveTo,
            page: to - from - 2 * beyondRows,
          })
        }
      >
        <TableHead columns={shown} isSelectable={selection !== undefined} />
        <div className="table-space" role="rowgroup" style={{ height: box.spacerPx }}>
          {Array.from({ length: to - from }, (_, nth) => from + nth).map((index) => (
            <TableRow
              key={keyAt(props, index)}
              {...props}
              columns={shown}
              index={index}
              top={box.topPx + (index - from) * rowPx}
              isActive={index === Math.min(active, total - 1)}
              onActive={() => setActive(index)}
            />
          ))}
        </div>
      </div>
      {/* Below gray rows it would move when the real ones come. */}
      {rows.total !== undefined && (
        <div className="table-foot">
          <span aria-hidden="true">{footText(props)}</span>
          {foot}
        </div>
      )}
    </div>
  );
}

function footText<Row>({ rows, counted }: TableProps<Row>): string {
  if (rows.total === undefined) return words.loading;
  return rows.known === undefined
    ? plural(rows.total, counted)
    : words.table.moreThan(plural(rows.known, counted));
}

/** The row's own: when newer rows come above it, the focus moves down with it. */
function keyAt<Row>({ rows, keyOf }: TableProps<Row>, index: number): string {
  const row = rows.at(index);
  return row === undefined ? `:${index}` : keyOf(row);
}

function TableHead<Row>({
  columns,
  isSelectable,
}: {
  readonly columns: readonly Column<Row>[];
  readonly isSelectable: boolean;
}) {
  return (
    <div role="rowgroup">
      <div className="table-head" role="row" aria-rowindex={1} tabIndex={-1}>
        {isSelectable && (
          <span role="columnheader" className="table-cell" tabIndex={-1}>
            <span className="sr-only">{words.table.select}</span>
          </span>
        )}
        {columns.map(({ id, head, isNumber }) => (
          <span
            key={id}
            role="columnheader"
            tabIndex={-1}
            className={classNames('table-cell', isNumber && 'end')}
          >
            {head === '' ? <span className="sr-only">{words.table.actions}</span> : head}
          </span>
        ))}
      </div>
    </div>
  );
}

function TableRow<Row>({
  rows,
  columns,
  index,
  top,
  isActive,
  onActive,
  keyOf,
  to,
  onNear,
  selection,
}: TableProps<Row> & {
  readonly index: number;
  readonly top: number;
  readonly isActive: boolean;
  readonly onActive: () => void;
}) {
  const [, go] = useLocation();
  const row = rows.at(index);
  const place = { transform: `translateY(${top}px)` };
  if (row === undefined)
    return (
      <div className="table-row" role="row" tabIndex={-1} aria-rowindex={index + 2} style={place}>
        {columns.map(({ id }, at) => (
          <span key={id} role="gridcell" className="table-cell" tabIndex={-1}>
            <span className={`table-grey late grey width-${(at % 4) + 1}`} />
          </span>
        ))}
      </div>
    );
  const key = keyOf(row);
  const target = to?.(row);
  const isSelected = selection?.all !== undefined || selection?.keys.has(key);
  return (
    <div
      className="table-row"
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      tabIndex={isActive ? 0 : -1}
      data-active={isActive || undefined}
      data-opens={target === undefined ? undefined : ''}
      data-key={key}
      data-to={target}
      style={place}
      onFocus={() => {
        onActive();
        onNear?.(row);
      }}
      onMouseEnter={() => onNear?.(row)}
      onClick={(event) => {
        if (target === undefined || event.defaultPrevented || isFromPopup(event)) return;
        if ((event.target as Element).closest('a, button, input') === null) go(target);
      }}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget) return;
        if (event.key === 'Enter' && target !== undefined) go(target);
        if (event.key !== 'x' || selection === undefined) return;
        event.preventDefault();
        selection.toggle(key);
      }}
    >
      {selection !== undefined && (
        <span role="gridcell" className="table-cell select" tabIndex={-1}>
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={words.table.select}
            checked={isSelected}
            onChange={() => selection.toggle(key)}
          />
        </span>
      )}
      {columns.map(({ id, cell, isNumber, narrow }, at) => (
        <span
          key={id}
          role="gridcell"
          tabIndex={-1}
          className={classNames('table-cell', isNumber && 'end', narrow)}
        >
          {at === 0 && target !== undefined ? (
            <Link to={target} className="row-link" tabIndex={-1}>
              {cell(row)}
            </Link>
          ) : (
            cell(row)
          )}
        </span>
      ))}
    </div>
  );
}

/** Focuses the active row, once it is loaded; unless the focus went elsewhere meanwhile. */
function useRowFocus(scroll: RefObject<HTMLElement | null>): (row: number) => void {
  const wanted = useRef<{ readonly row: number; readonly from: Element | null }>(undefined);
  const look = () => {
    if (wanted.current === undefined) return;
    const { row, from } = wanted.current;
    const now = document.activeElement;
    const active = scroll.current?.querySelector<HTMLElement>('[data-active]');
    if (active?.getAttribute('aria-rowindex') === String(row + 2)) active.focus();
    else if (now === document.body || now === from) return;
    wanted.current = undefined;
  };
  useEffect(look);
  return (row) => {
    wanted.current = { row, from: document.activeElement };
    look();
  };
}

/** The same keys from anywhere on the screen: the first one leads into the table. */
function useRowKeys(
  hasRows: boolean,
  { move, toggle }: { readonly move: (by: number) => void; readonly toggle?: () => void },
): void {
  useShortcuts(
    hasRows
      ? [
          { keys: 'j', label: words.table.next, run: () => move(1) },
          { keys: 'k', label: words.table.previous, run: () => move(-1) },
          ...(toggle === undefined ? [] : [{ keys: 'x', label: words.table.toggle, run: toggle }]),
        ]
      : [],
  );
}

/** Draws again when the pane scrolls or changes its size. */
function useScroll() {
  const scroll = useRef<HTMLDivElement>(null);
  const [view, setView] = useState(600);
  const [, setTick] = useState(0);
  useLayoutEffect(() => {
    const pane = scroll.current;
    if (pane === null) return undefined;
    setView(pane.clientHeight);
    const observer = new ResizeObserver(() => setView(pane.clientHeight));
    observer.observe(pane);
    return () => observer.disconnect();
  }, []);
  return { scroll, view, onScroll: () => setTick((tick) => tick + 1) };
}

/** Its place now, which is another one once rows came above it. */
function focusedRow(): number | undefined {
  const row = document.activeElement?.closest('.table-row')?.getAttribute('aria-rowindex');
  return row === null || row === undefined ? undefined : Number(row) - 2;
}

function onKey(
  event: KeyboardEvent,
  pane: {
    readonly active: number;
    readonly page: number;
    readonly moveTo: (row: number) => void;
  },
): void {
  const { active, page, moveTo } = pane;
  if (isFromPopup(event)) return;
  if ((event.target as Element).closest('input, select, textarea') !== null) return;
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: active + 1,
    j: active + 1,
    ArrowUp: active - 1,
    k: active - 1,
    PageDown: active + page,
    PageUp: active - page,
    Home: 0,
    End: Number.MAX_SAFE_INTEGER,
  };
  const next = moves[event.key];
  if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  moveTo(next);
}

/** React hands up what happens in a row's menu and its dialogs too, which stand elsewhere. */
function isFromPopup({ currentTarget, target }: SyntheticEvent): boolean {
  return !currentTarget.contains(target as Node);
}

/** Title first, then what stands beside and below it. */
function narrowOrder<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const places = ['title', 'side', 'sub', 'side-sub'] as const;
  return places.flatMap((place) => columns.filter(({ narrow }) => narrow === place));
}
