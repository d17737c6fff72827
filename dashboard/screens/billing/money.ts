// Amounts, and the months that can be looked at.

const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' });
const monthName = new Intl.DateTimeFormat('en', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

export function money(cents: number): string {
  return dollars.format(cents / 100);
}

/** "2026-09": the UTC month of an instant, or one so many months before it. */
export function monthOf(nowMs: number, before = 0): string {
  const now = new Date(nowMs);
  const then = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - before, 1));
  return then.toISOString().slice(0, 7);
}

/** "September 2026". */
export function monthWords(month: string): string {
  return monthName.format(new Date(`${month}-01T00:00:00Z`));
}
