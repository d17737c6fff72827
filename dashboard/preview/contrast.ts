// Contrast of an accent color, as WCAG 2.2 measures it, on the pages that wear it.

/** Text on a color needs this much. */
export const textContrastMin = 4.5;
/** Lines and surfaces of controls need this much. */
export const shapeContrastMin = 3;

/** The page behind a button: in light and in dark. */
const grounds = { light: '#ffffff', dark: '#181b22' } as const;

interface Judged {
  /** Black or white, whichever is better to read on the color. */
  readonly on: '#000000' | '#ffffff';
  readonly text: number;
  readonly light: number;
  readonly dark: number;
}

/** `undefined` for what is no `#rrggbb`. */
export function judge(color: string): Judged | undefined {
  const own = luminance(color);
  if (own === undefined) return undefined;
  const white = ratio(own, 1);
  const black = ratio(own, 0);
  return {
    on: black > white ? '#000000' : '#ffffff',
    text: Math.max(black, white),
    light: ratio(own, luminance(grounds.light) ?? 1),
    dark: ratio(own, luminance(grounds.dark) ?? 0),
  };
}

/** Relative luminance, 0 to 1. */
function luminance(color: string): number | undefined {
  if (!/^#[0-9a-f]{6}$/i.test(color)) return undefined;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function ratio(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}
