// A length of time in words: "3 days, 4 hours".

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** The two largest units that are not zero. */
export function durationWords(seconds: number): string {
  let left = Math.max(0, Math.round(seconds));
  const parts: string[] = [];
  for (const [unit, size] of units) {
    const some = Math.floor(left / size);
    left -= some * size;
    if (some > 0)
      parts.push(
        new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(some),
      );
  }
  return parts.slice(0, 2).join(', ') || '0 seconds';
}
