// The step of a color scale for a value: 0 for none, 1 to 5 by share of the largest.

const steps = 5;

export function shadeOf(value: number, largest: number): number {
  if (value <= 0 || largest <= 0) return 0;
  return Math.max(1, Math.ceil((value / largest) * steps));
}
