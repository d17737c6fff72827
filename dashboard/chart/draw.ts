// Draws a chart with uPlot, which is loaded when the first chart is shown. Colours are those that
// the legend wears, so that they follow light and dark.

import stylePath from 'url:./plot.css';
import type uPlot from 'uplot';
import { type ChartData, dashOf } from './model.ts';

export interface Drawing {
  /** Shows the reading at a place; `undefined` hides it. */
  read(at: number | undefined): void;
  resize(): void;
  destroy(): void;
}

interface DrawOptions {
  readonly data: ChartData;
  /** Ink of lines and marks, by series, and of axes and grid. */
  readonly colours: readonly string[];
  readonly axisColour: string;
  readonly gridColour: string;
  readonly xText: (x: number) => string;
  readonly yText: (y: number) => string;
  /** The bucket that is not over begins here. */
  readonly unfinishedFrom?: number | undefined;
  /** From one place to the next. */
  readonly step: number;
  readonly onRead: (at: number | undefined) => void;
}

const heightPx = 240;
const axisFont = '13px system-ui, sans-serif';

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
  const { data, colours, axisColour, gridColour, xText, yText, unfinishedFrom, step, onRead } =
    options;
  const axis = {
    stroke: axisColour,
    font: axisFont,
    grid: { stroke: gridColour, width: 1 },
    ticks: { show: false },
  };
  return {
    width: box.clientWidth,
    height: heightPx,
    padding: [12, 12, 0, 0],
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { size: 8 }, y: false },
    scales: {
      x: { time: false, range: (_plot, min, max) => xRange(min, max, unfinishedFrom, step) },
      y: { range: (_plot, _min, max) => [0, Math.max(max * 1.08, Number.EPSILON)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 90,
        values: (_plot: uPlot, xs: number[]) => xs.map((x) => xText(x)),
      },
      {
        ...axis,
        size: 56,
        values: (_plot: uPlot, ys: number[]) => ys.map((y) => yText(y)),
      },
    ],
    series: [
      {},
      ...data.series.map(({ name, values }, at) => ({
        label: name,
        stroke: colours[at] ?? axisColour,
        width: 2,
        dash: [...dashOf(at)],
        spanGaps: false,
        points: { show: values.length < 3, size: 8, fill: colours[at] ?? axisColour },
      })),
    ],
    hooks: {
      setCursor: [(plot: uPlot) => onRead(plot.cursor.idx ?? undefined)],
      drawAxes: [
        (plot: uPlot) => {
          if (unfinishedFrom !== undefined) hatch(plot, unfinishedFrom, gridColour);
        },
      ],
    },
  };
}

/** With room for the bucket that is not over, which begins at the last place. */
function xRange(
  min: number,
  max: number,
  unfinishedFrom: number | undefined,
  step: number,
): [number, number] {
  if (min === max) return [min - step, max + step];
  return [min, unfinishedFrom === undefined ? max : max + step];
}

const hatchPx = 7;

/** Slanted lines from a place to the end: what is there is not complete yet. */
function hatch(plot: uPlot, from: number, colour: string): void {
  const { ctx, bbox } = plot;
  const left = Math.max(plot.valToPos(from, 'x', true), bbox.left);
  const right = bbox.left + bbox.width;
  if (left >= right) return;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, bbox.top, right - left, bbox.height);
  ctx.clip();
  ctx.beginPath();
  ctx.strokeStyle = colour;
  for (let x = left - bbox.height; x < right; x += hatchPx * devicePixelRatio) {
    ctx.moveTo(x, bbox.top + bbox.height);
    ctx.lineTo(x + bbox.height, bbox.top);
  }
  ctx.stroke();
  ctx.restore();
}
