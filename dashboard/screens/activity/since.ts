// The period of a list, as the address names it. The start stays for a minute, so that the list is
// the same one while it is asked for again.

export const periods = ['1h', '24h', '7d', '30d'] as const;
type Period = (typeof periods)[number];

const hourMs = 3_600_000;
const minuteMs = 60_000;
const lengths: Readonly<Record<Period, number>> = {
  '1h': hourMs,
  '24h': 24 * hourMs,
  '7d': 7 * 24 * hourMs,
  '30d': 30 * 24 * hourMs,
};

export function isPeriod(text: string | undefined): text is Period {
  return periods.some((period) => period === text);
}

export function startOf(period: Period, nowMs: number): string {
  return new Date(Math.floor(nowMs / minuteMs) * minuteMs - lengths[period]).toISOString();
}
