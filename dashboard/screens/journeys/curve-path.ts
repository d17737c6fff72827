// A curve as the path of an SVG: from the first day to the last, zero at the bottom.

const edgePx = 1;

export function curvePath(
  values: readonly number[],
  most: number,
  width: number,
  height: number,
): string {
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  const y = (value: number) => rounded(height - edgePx - (value / most) * (height - 2 * edgePx));
  const [only = 0] = values;
  if (values.length === 1) return `M0 ${y(only)}H${width}`;
  return values
    .map((value, nth) => `${nth === 0 ? 'M' : 'L'}${rounded(nth * step)} ${y(value)}`)
    .join('');
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
