// Draws figures by size as small multiples on logarithmic axes: one SVG for light and dark, by the
// reader's color scheme. Lines carry their label and last figure at their end instead of a legend;
// targets are thin dashed lines. Pure: the same panels give the same text.

export interface Series {
  readonly label: string;
  /** The color: Engage's own figure, a second one, or the compared one. */
  readonly tone: 'own' | 'second' | 'other';
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** A small plot. Targets may grow with the size, so each size has its own. */
export interface Panel {
  readonly title: string;
  readonly unit: string;
  readonly series: readonly Series[];
  readonly targets: readonly ChartTarget[];
}

interface ChartTarget {
  readonly label: string;
  at(x: number): number;
}

const columns = 3;
const panelWidth = 330;
const panelHeight = 220;
const plot = { left: 46, top: 40, right: 116, bottom: 30 };
const margin = 16;
const footHeight = 30;
const labelHeight = 13;

const style = `
  text { font: 12px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #1f2328 }
  .ground { fill: #ffffff }
  .title { font-weight: 600; font-size: 13px }
  .muted { fill: #59636e; font-size: 11px }
  .grid { stroke: #d1d9e0; stroke-width: 1 }
  .target { fill: none; stroke: #59636e; stroke-width: 1; stroke-dasharray: 3 3 }
  .line { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round }
  .own { stroke: #0969da } .second { stroke: #1a7f37 } .other { stroke: #bc4c00 }
  circle.own, text.own { fill: #0969da; stroke: none }
  circle.second, text.second { fill: #1a7f37; stroke: none }
  circle.other, text.other { fill: #bc4c00; stroke: none }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .ground { fill: #0d1117 }
    .muted { fill: #9198a1 }
    .grid { stroke: #2f353d }
    .target { stroke: #9198a1 }
    .own { stroke: #4493f8 } .second { stroke: #3fb950 } .other { stroke: #db6d28 }
    circle.own, text.own { fill: #4493f8 }
    circle.second, text.second { fill: #3fb950 }
    circle.other, text.other { fill: #db6d28 }
  }`;

/** `xs` are the sizes, ascending; `foot` is the bottom line. Omits panels without figures. */
export function smallMultiples(
  panels: readonly Panel[],
  xs: readonly number[],
  foot: string,
): string {
  const drawn = panels.filter(({ series }) => series.some(({ points }) => points.length > 0));
  const rows = Math.ceil(drawn.length / columns);
  const width = columns * panelWidth + 2 * margin;
  const height = rows * panelHeight + 2 * margin + footHeight;
  const body = drawn.map((panel, i) => {
    const x = margin + (i % columns) * panelWidth;
    const y = margin + Math.floor(i / columns) * panelHeight;
    return `<g transform="translate(${x} ${y})">${panelSvg(panel, xs)}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>How each figure grows with the number of people</title>
<style>${style}
</style>
<rect class="ground" width="${width}" height="${height}" rx="6"/>
${body.join('\n')}
<text class="muted" x="${margin}" y="${height - margin}">${escaped(foot)}</text>
</svg>
`;
}

/** A figure in few characters: 0.047, 8.1, 320, 12k, 1.5M. */
function shortFigure(value: number): string {
  const [divisor, letter] =
    value >= 999_500
      ? ([1e6, 'M'] as const)
      : value >= 9_995
        ? ([1e3, 'k'] as const)
        : ([1, ''] as const);
  const digits = Number((value / divisor).toPrecision(value / divisor >= 100 ? 3 : 2));
  return `${digits}${letter}`;
}

function panelSvg({ title, unit, series, targets }: Panel, xs: readonly number[]): string {
  const [firstX, lastX] = [xs[0] as number, xs.at(-1) as number];
  const values = [
    ...series.flatMap(({ points }) => points.map(([, y]) => y)),
    ...targets.flatMap((target) => xs.map((x) => target.at(x))),
  ].filter((value) => value > 0);
  const low = 10 ** Math.floor(Math.log10(Math.min(...values) * 0.999));
  const high = 10 ** Math.ceil(Math.log10(Math.max(...values) * 1.001));
  const right = panelWidth - plot.right;
  const bottom = panelHeight - plot.bottom;
  const span = Math.log10(lastX) - Math.log10(firstX) || 1;
  const xOf = (x: number) =>
    plot.left + 8 + ((Math.log10(x) - Math.log10(firstX)) / span) * (right - plot.left - 8);
  const yOf = (y: number) =>
    bottom - ((Math.log10(y) - Math.log10(low)) / Math.log10(high / low)) * (bottom - plot.top);
  const parts = [
    `<text class="title" x="0" y="14">${escaped(title)} <tspan class="muted" font-weight="400">${escaped(unit)}</tspan></text>`,
  ];
  for (let tick = low; tick <= high * 1.001; tick *= 10) {
    const y = yOf(tick).toFixed(1);
    parts.push(
      `<line class="grid" x1="${plot.left}" x2="${right}" y1="${y}" y2="${y}"/>`,
      `<text class="muted" x="${plot.left - 6}" y="${Number(y) + 4}" text-anchor="end">${shortFigure(tick)}</text>`,
    );
  }
  for (const x of xs)
    parts.push(
      `<text class="muted" x="${xOf(x).toFixed(1)}" y="${bottom + 17}" text-anchor="middle">${shortFigure(x)}</text>`,
    );
  const labels: { readonly y: number; readonly tone: string; readonly text: string }[] = [];
  for (const target of targets) {
    const path = xs.map((x) => `${xOf(x).toFixed(1)},${yOf(target.at(x)).toFixed(1)}`).join(' ');
    parts.push(
      `<polyline class="target" points="${path} ${right},${yOf(target.at(lastX)).toFixed(1)}"/>`,
    );
    labels.push({ y: yOf(target.at(lastX)), tone: 'muted', text: target.label });
  }
  for (const { label, tone, points } of series) {
    const places = points.filter(([, y]) => y > 0).map(([x, y]) => [xOf(x), yOf(y)] as const);
    const [last, value] = [places.at(-1), points.at(-1)?.[1]];
    if (last === undefined || value === undefined) continue;
    const path = places.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
    parts.push(`<polyline class="line ${tone}" points="${path}"/>`);
    for (const [x, y] of places)
      parts.push(`<circle class="${tone}" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="3"/>`);
    labels.push({ y: last[1], tone, text: `${label} ${shortFigure(value)}` });
  }
  for (const { y, tone, text } of apart(labels))
    parts.push(
      `<text class="${tone}" x="${right + 7}" y="${(y + 4).toFixed(1)}">${escaped(text)}</text>`,
    );
  return parts.join('\n');
}

/** Pushes labels down in order, then up from the bottom, until none overlap. */
function apart<Label extends { readonly y: number }>(labels: readonly Label[]): readonly Label[] {
  const sorted = labels.toSorted((a, b) => a.y - b.y).map((label) => ({ ...label }));
  const bottom = panelHeight - plot.bottom;
  for (let i = 1; i < sorted.length; i++) {
    const [above, label] = [sorted[i - 1] as { y: number }, sorted[i] as { y: number }];
    label.y = Math.max(label.y, above.y + labelHeight);
  }
  for (let i = sorted.length - 1, limit = bottom; i >= 0; i--) {
    const label = sorted[i] as { y: number };
    label.y = Math.min(label.y, limit);
    limit = label.y - labelHeight;
  }
  return sorted;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
