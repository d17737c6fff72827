// What is kept of a picture: how light and how uneven each block of it is, and the colors that it
// is made of. Blocks bear letters that are drawn a little differently; the colors of areas and
// lines do not depend on letters at all.

import type { Pixels } from './png.ts';

/** As it is kept in a file. */
export interface Signature {
  /** `1440 × 900`, in blocks of 30 pixels. */
  readonly size: string;
  /** `rrggbb` of what covers more than `keptShare`, the largest first. */
  readonly colours: string;
  /** A line a row of blocks, two characters a block: mean luminance, and its deviation. */
  readonly blocks: readonly string[];
}

/** What was drawn now knows its smaller colors as well. */
export interface Drawn extends Signature {
  readonly shares: ReadonlyMap<string, number>;
}

/** Both values have 64 levels: 4 of 255 in luminance, 2 in its deviation. */
const levels = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const meanStep = 4;
const deviationStep = 2;
/** Of all pixels: a line of a table across the screen has a tenth of a per cent. */
const keptShare = 0.0015;
/** What is kept may shrink to a third, and what is new must be twice as much, to be told. */
const goneShare = keptShare / 3;
const newShare = keptShare * 2;
/** A color's channels may be rounded otherwise. */
const sameChannel = 2;

/**
 * Levels by which a value may be off without being counted, and how many beyond these a picture may
 * have in all. Drawn again by the same letters a picture is off by fewer than 10, by hinted ones by
 * some 35; a panel that moves 16 pixels by 50 at least, a column of a table that is gone by 150.
 */
const freeLevels = 4;
const mostLevels = 40;

/** `side` of blocks in pixels; those at the right and lower edge may be smaller. */
export function signatureOf({ width, height, rgb }: Pixels, side: number): Drawn {
  const across = Math.ceil(width / side);
  const down = Math.ceil(height / side);
  const count = new Uint32Array(across * down);
  const sum = new Float64Array(across * down);
  const squares = new Float64Array(across * down);
  for (let y = 0, at = 0; y < height; y++) {
    const first = Math.floor(y / side) * across;
    for (let x = 0; x < width; x++, at += 3) {
      const light = 0.2126 * rgb[at]! + 0.7152 * rgb[at + 1]! + 0.0722 * rgb[at + 2]!;
      const block = first + Math.floor(x / side);
      count[block]! += 1;
      sum[block]! += light;
      squares[block]! += light * light;
    }
  }
  const blocks = Array.from({ length: down }, (_, row) =>
    Array.from({ length: across }, (_, column) => {
      const block = row * across + column;
      const mean = sum[block]! / count[block]!;
      const deviation = Math.sqrt(Math.max(0, squares[block]! / count[block]! - mean * mean));
      return level(mean / meanStep) + level(deviation / deviationStep);
    }).join(''),
  );
  const shares = sharesOf({ width, height, rgb });
  const kept = [...shares].filter(([, share]) => share >= keptShare).map(([colour]) => colour);
  return { size: `${width} × ${height}`, colours: kept.join(' '), blocks, shares };
}

/** Colors that cover more than `goneShare`, the largest first. */
function sharesOf({ width, height, rgb }: Pixels): ReadonlyMap<string, number> {
  const pixels = new Map<number, number>();
  let last = -1;
  let run = 0;
  // Neighbors are alike: a look-up for each pixel would take as long as all else.
  for (let at = 0; at < rgb.length; at += 3) {
    const colour = (rgb[at]! << 16) | (rgb[at + 1]! << 8) | rgb[at + 2]!;
    if (colour !== last) {
      pixels.set(last, (pixels.get(last) ?? 0) + run);
      last = colour;
      run = 0;
    }
    run++;
  }
  pixels.set(last, (pixels.get(last) ?? 0) + run);
  pixels.delete(-1);
  return new Map(
    [...pixels]
      .map(([colour, count]) => [hexOf(colour), count / (width * height)] as const)
      .filter(([, share]) => share >= goneShare)
      .sort(([, a], [, b]) => b - a),
  );
}

function hexOf(colour: number): string {
  return colour.toString(16).padStart(6, '0');
}

function level(value: number): string {
  return levels[Math.min(levels.length - 1, Math.round(value))]!;
}

/** What is not as it was, in words; empty for a picture that is the same to the eye. */
export function differences(was: Signature, now: Drawn): readonly string[] {
  if (was.size !== now.size) return [`${was.size} was, ${now.size} is its size`];
  const before = was.colours.split(' ');
  const gone = before.filter((colour) => ![...now.shares.keys()].some((one) => same(one, colour)));
  const come = [...now.shares]
    .filter(([colour, share]) => share >= newShare && !before.some((one) => same(one, colour)))
    .map(([colour]) => colour);
  const { off, places } = levelsOff(was.blocks, now.blocks);
  return [
    ...(gone.length === 0 ? [] : [`without ${gone.join(', ')}`]),
    ...(come.length === 0 ? [] : [`with ${come.join(', ')}`]),
    ...(off <= mostLevels ? [] : [`${off} levels off, at ${places.slice(0, 5).join('; ')}`]),
  ];
}

function same(one: string, other: string): boolean {
  return [0, 2, 4].every(
    (at) =>
      Math.abs(
        Number.parseInt(one.slice(at, at + 2), 16) - Number.parseInt(other.slice(at, at + 2), 16),
      ) <= sameChannel,
  );
}

/** The sum of what is beyond the free levels, and where, the worst first. */
function levelsOff(was: readonly string[], now: readonly string[]) {
  const found: { readonly place: string; readonly beyond: number }[] = [];
  for (const [row, line] of was.entries())
    for (let at = 0; at < line.length; at++) {
      const away = Math.abs(levels.indexOf(line[at]!) - levels.indexOf(now[row]![at]!));
      if (away > freeLevels)
        found.push({ place: `column ${at >> 1}, row ${row}`, beyond: away - freeLevels });
    }
  return {
    off: found.reduce((sum, { beyond }) => sum + beyond, 0),
    places: found.sort((a, b) => b.beyond - a.beyond).map(({ place }) => place),
  };
}
