// A bench's command line (`--people=10000 --fresh`), and its last line, one line of JSON. Programs
// such as growth.ts read that line, people the lines above it.

/** `--name=12`, or `fallback`. Throws for other texts: a bench of another size is no bench. */
export function numberOption(name: string, fallback: number): number {
  const given = textOption(name);
  if (given === undefined) return fallback;
  const value = Number(given);
  if (!Number.isFinite(value) || value < 0)
    throw new Error(`--${name}=${given}: expected a number, zero or more`);
  return value;
}

/** `--name=text`; `undefined` if absent. */
export function textOption(name: string): string | undefined {
  const start = `--${name}=`;
  return process.argv.find((word) => word.startsWith(start))?.slice(start.length);
}

/** Whether `--name` is given without a value. */
export function isAsked(name: string): boolean {
  return process.argv.includes(`--${name}`);
}

/** By name. Times in ms and sizes in bytes unless the name says otherwise. */
type Figures = Readonly<
  Record<string, number | string | boolean | null | readonly number[] | NumbersByName>
>;
type NumbersByName = Readonly<
  Record<string, number | null | Readonly<Record<string, number | null>>>
>;

/** The last line: `{"bench": …, …figures}`, with four significant digits. */
export function printSummary(bench: string, figures: Figures): void {
  console.log(JSON.stringify({ bench, ...figures }, (_name, value) => rounded(value)));
}

function rounded(value: unknown): unknown {
  if (typeof value !== 'number' || Number.isInteger(value)) return value;
  return Number(value.toPrecision(4));
}

/** The middle figure, or the one above the middle. Throws for none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The figure that `share` of all are below. Throws for none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new Error('no figure was taken');
  return value;
}
