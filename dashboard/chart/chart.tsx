// A chart over time: lines from zero, gaps left open, the bucket that is not over hatched. Hover
// and arrow keys read values; the key t shows the same numbers as a table.

import { useEffect, useId, useRef, useState } from 'react';
import { useQueryParam } from '../ui/address.ts';
import { Button } from '../ui/button.tsx';
import { csvText } from '../ui/csv.ts';
import { useShortcuts } from '../ui/keys.ts';
import { Note } from '../ui/note.tsx';
import { saveFile } from '../ui/save-file.ts';
import { type Drawing, draw } from './draw.ts';
import { Legend } from './legend.tsx';
import { type ChartProps, movedBy, readingAt } from './model.ts';
import { ChartTable } from './table.tsx';
import { words } from './words.ts';

export function Chart(props: ChartProps) {
  const { label, data, yText, xLong, unfinishedFrom } = props;
  // In the address, so that charts beside each other change together.
  const [view, setView] = useQueryParam('view');
  const isTable = view === 'table';
  const toggle = () => setView(isTable ? undefined : 'table');
  const [at, setAt] = useState<number>();
  const hint = useId();
  const { box, legend, drawing, hasFailed } = useDrawing(props, isTable, setAt);
  useShortcuts([{ keys: 't', label: isTable ? words.chart : words.table, run: toggle }]);
  const reading = at === undefined ? undefined : readingAt(data, at);
  return (
    <figure className="chart" aria-label={label}>
      <Legend
        ref={legend}
        label={label}
        data={data}
        at={at === undefined ? undefined : xLong(data.xs[at] ?? 0)}
        values={reading?.map(({ value }) => (value === null ? words.none : yText(value)))}
      />
      {hasFailed && <Note tone="bad">{words.failed}</Note>}
      {isTable || hasFailed ? (
        <ChartTable {...props} />
      ) : (
        <div
          ref={box}
          className="chart-box"
          role="group"
          aria-roledescription="chart"
          aria-label={label}
          aria-describedby={hint}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys read values here
          tabIndex={0}
          onBlur={() => drawing.current?.read(undefined)}
          onKeyDown={(event) => {
            const next = movedBy(event.key, at, data.xs.length);
            if (next === undefined) return;
            event.preventDefault();
            drawing.current?.read(next);
          }}
        />
      )}
      <div className="row-between">
        <p className="chart-hint" id={hint}>
          {unfinishedFrom !== undefined && words.unfinished}{' '}
          <span className="chart-keys">{words.keys}</span>
        </p>
        <div className="row">
          <Button size="small" kind="quiet" onClick={toggle}>
            {isTable ? words.chart : words.table}
          </Button>
          <Button
            size="small"
            kind="quiet"
            icon="download"
            onClick={() => saveFile(`${label}.csv`, csvOf(props))}
          >
            {words.copy}
          </Button>
        </div>
      </div>
    </figure>
  );
}

function csvOf({ data, xHead, xLong }: ChartProps): string {
  return csvText([
    [xHead, ...data.series.map(({ name }) => name)],
    ...data.xs.map((x, at) => [xLong(x), ...readingAt(data, at).map(({ value }) => value)]),
  ]);
}

function stepOf(xs: readonly number[]): number {
  const [before, last] = xs.slice(-2);
  return before === undefined || last === undefined ? 1 : last - before;
}

/** Draws into the box, again when data, size or color scheme change. */
function useDrawing(
  { data, xText, yText, unfinishedFrom, step }: ChartProps,
  isTable: boolean,
  onRead: (at: number | undefined) => void,
) {
  const box = useRef<HTMLDivElement>(null);
  const legend = useRef<HTMLUListElement>(null);
  const drawing = useRef<Drawing>(undefined);
  const [hasFailed, setFailed] = useState(false);
  const [scheme, setScheme] = useState(0);
  useEffect(() => {
    const media = matchMedia('(prefers-color-scheme: dark)');
    const changed = () => setScheme((n) => n + 1);
    media.addEventListener('change', changed);
    return () => media.removeEventListener('change', changed);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts come from the same data
  useEffect(() => {
    const pane = box.current;
    if (pane === null || isTable) return undefined;
    let isGone = false;
    const swatches = [...(legend.current?.querySelectorAll('svg') ?? [])];
    const style = getComputedStyle(pane);
    const observer = new ResizeObserver(() => drawing.current?.resize());
    draw(pane, {
      data,
      colors: swatches.map((one) => getComputedStyle(one).color),
      axisColor: style.color,
      gridColor: getComputedStyle(pane.closest('.chart') ?? pane).borderTopColor,
      xText,
      yText,
      unfinishedFrom,
      step: step ?? stepOf(data.xs),
      onRead,
    }).then(
      (made) => {
        if (isGone) return made.destroy();
        drawing.current?.destroy();
        drawing.current = made;
        observer.observe(pane);
      },
      () => setFailed(true),
    );
    return () => {
      isGone = true;
      observer.disconnect();
      drawing.current?.destroy();
      drawing.current = undefined;
    };
  }, [data, unfinishedFrom, isTable, scheme]);
  return { box, legend, drawing, hasFailed };
}
