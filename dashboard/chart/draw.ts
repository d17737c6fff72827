// Draws a chart with uPlot, which is loaded when the first chart is shown. Colors are those that
// the legend wears, so that they follow light and dark.

import stylePath from 'url:./plot.css';
import type uPlot from 'uplot';
import { type ChartData, dashOf, ticksOf } from './model.ts';

export interface Drawing {
  /** Shows the reading at a place; `undefined` hides it. */
  read(at: number | undefined): void;
  resize(): void;
  destroy(): void;
}

interface DrawOptions {
  readonly data: ChartData;
  /** Ink of lines and marks, by series, and of axes and grid. */
  readonly colors: readonly string[];
  readonly axisColor: string;
  readonly gridColor: string;
  readonly xText: (x: number) => string;
  readonly yText: (y: number) => string;
  /** The bucket that is not over begins here. */
  readonly unfinishedFrom?: number | undefined;
  /** From one place to the next. */
  readonly step: number;
  readonly onRead: (at: number | undefined) => void;
}

const heightPx = 240;
const axisFontSize = '13px';
/** A wide letter of it. */
const letterPx = 8.2;

let loading: Promise<typeof uPlot> | undefined;

/** Resolves when the library and its style are here. */
function load(): Promise<typeof uPlot> {
  loading ??= Promise.all([import('uplot'), styled()]).then(([module]) => module.default);
  return loading;
}

function styled(): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = stylePath;
    link.onload = () => resolve();
    link.onerror = () => reject(new Error('no style for the chart'));
    document.head.append(link);
  });
}

export async function draw(box: HTMLElement, options: DrawOptions): Promise<Drawing> {
  const Plot = await load();
  const { data } = options;
  const values = data.series.map((series) => [...series.values]);
  const plot = new Plot(plotOptions(box, options), [[...data.xs], ...values], box);
  return {
    read: (at) => {
      const x = at === undefined ? undefined : data.xs[at];
      plot.setCursor(
        x === undefined ? { left: -10, top: -10 } : { left: plot.valToPos(x, 'x'), top: 0 },
        true,
      );
    },
    resize: () => plot.setSize({ width: box.clientWidth, height: heightPx }),
    destroy: () => plot.destroy(),
  };
}

function plotOptions(box: HTMLElement, options: DrawOptions): uPlot.Options {
  const { data, colors, axisColor, gridColor, xText, yText, unfinishedFrom, step, onRead } =
    options;
  const axis = {
    stroke: axisColor,
    font: `${axisFontSize} ${getComputedStyle(box).fontFamily}`,
    grid: { stroke: gridColor, width: 1 },
    ticks: { show: false },
  };
  return {
    width: box.clientWidth,
    height: heightPx,
    padding: [12, 16, 0, 0],
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { size: 8 }, y: false },
    scales: {
      x: { time: false, range: () => xRange(data.xs, unfinishedFrom, step) },
      // Without a value above zero, the axis has one tick: that of one, or of all of them.
      y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.08 : 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 30,
        splits: (plot: uPlot) => xTicks(plot, data.xs, step, xText),
        values: (_plot: uPlot, xs: number[]) => xs.map((x) => xText(x)),
      },
      {
        ...axis,
        size: (_plot: uPlot, texts: string[] | null) =>
          16 + letterPx * Math.max(...(texts ?? ['']).map(({ length }) => length)),
        ...(hasWhole(data) ? { incrs: wholeSteps } : {}),
        values: (_plot: uPlot, ys: number[]) => ys.map((y) => yText(y)),
      },
    ],
    series: [
      {},
      ...data.series.map(({ name, values }, at) => ({
        label: name,
        stroke: colors[at] ?? axisColor,
        width: 2,
        dash: [...dashOf(at)],
        spanGaps: false,
        points: { show: values.length < 3, size: 8, fill: colors[at] ?? axisColor },
      })),
    ],
    hooks: {
      setCursor: [(plot: uPlot) => onRead(plot.cursor.idx ?? undefined)],
      drawAxes: [
        (plot: uPlot) => {
          if (unfinishedFrom !== undefined) hatch(plot, unfinishedFrom, gridColor);
        },
      ],
    },
  };
}

/** With room for the bucket that is not over, which begins at the last place. */
function xRange(
  xs: readonly number[],
  unfinishedFrom: number | undefined,
  step: number,
): [number, number] {
  const first = xs[0] ?? 0;
  const last = xs.at(-1) ?? first;
  if (first === last) return [first - step, last + step];
  return [first, unfinishedFrom === undefined ? last : last + step];
}

/** At places that have values, as many as their texts leave room for. */
function xTicks(
  plot: uPlot,
  xs: readonly number[],
  step: number,
  xText: (x: number) => string,
): number[] {
  const { min = 0, max = 1 } = plot.scales['x'] ?? {};
  const pxOf = (x: number) => ((x - min) / (max - min || 1)) * widthPx;
  const widthPx = plot.bbox.width / devicePixelRatio;
  const textPx = letterPx * xText(xs.at(-1) ?? 0).length;
  const isWithin = (x: number) => pxOf(x) + textPx / 2 <= widthPx + 16;
  return [...ticksOf(xs, step, widthPx / (textPx + 28))].filter(isWithin);
}

/** Steps of an axis that counts. */
const wholeSteps = [...Array(13).keys()].flatMap((n) => [10 ** n, 2 * 10 ** n, 5 * 10 ** n]);

function hasWhole({ series }: ChartData): boolean {
  return series.every(({ values }) => values.every((value) => Number.isInteger(value ?? 0)));
}

const hatchPx = 7;

/** Slanted lines from a place to the end: what is there is not complete yet. */
function hatch(plot: uPlot, from: number, color: string): void {
  const { ctx, bbox } = plot;
  const left = Math.max(plot.valToPos(from, 'x', true), bbox.left);
  const right = bbox.left + bbox.width;
  if (left >= right) return;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, bbox.top, right - left, bbox.height);
  ctx.clip();
  ctx.beginPath();
  ctx.strokeStyle = color;
  for (let x = left - bbox.height; x < right; x += hatchPx * devicePixelRatio) {
    ctx.moveTo(x, bbox.top + bbox.height);
    ctx.lineTo(x + bbox.height, bbox.top);
  }
  ctx.stroke();
  ctx.restore();
}
