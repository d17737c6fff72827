// What a bench was asked on its command line (`--people=10000 --fresh`), and the one line of JSON
// that it ends with. Other programs read that line (growth.ts does), people read the lines above
// it.

/**
 * The number given as `--name=12`, or `fallback`. Throws for what is no number: a bench of another
 * size is no bench.
 */
export function numberOption(name: string, fallback: number): number {
  const given = textOption(name);
  if (given === undefined) return fallback;
  const value = Number(given);
  if (!Number.isFinite(value) || value < 0)
    throw new Error(`--${name}=${given}: expected a number, zero or more`);
  return value;
}

/** The text given as `--name=text`; `undefined` when it was not. */
export function textOption(name: string): string | undefined {
  const start = `--${name}=`;
  return process.argv.find((word) => word.startsWith(start))?.slice(start.length);
}

/** Whether `--name` stands there by itself. */
export function isAsked(name: string): boolean {
  return process.argv.includes(`--${name}`);
}

/**
 * What a bench found: numbers, texts and lists of them by name. Times in ms and sizes in bytes
 * unless the name says more.
 */
type Figures = Readonly<
  Record<string, number | string | boolean | null | readonly number[] | NumbersByName>
>;
type NumbersByName = Readonly<
  Record<string, number | null | Readonly<Record<string, number | null>>>
>;

/** A bench's last line: `{"bench": …, …figures}`. Numbers keep four digits that mean something. */
export function printSummary(bench: string, figures: Figures): void {
  console.log(JSON.stringify({ bench, ...figures }, (_name, value) => rounded(value)));
}

function rounded(value: unknown): unknown {
  if (typeof value !== 'number' || Number.isInteger(value)) return value;
  return Number(value.toPrecision(4));
}

/** The middle of some figures, or the one above it. Throws when there is none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The figure that `share` of all are below. Throws when there is none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new Error('no figure was taken');
  return value;
}
