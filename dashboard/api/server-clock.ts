// The server's clock, for what counts down to an instant of the server: the clock of a browser may
// be minutes off, and may be set while one waits. No DOM types here.

/**
 * A `date` names a second that may have begun two seconds ago: the server writes it once a second.
 */
const dateLagMs = 2_000;

/** The server's time minus `performance.now()` lies between. */
let ahead: { readonly low: number; readonly high: number } | undefined;

/** An answer's `date`; when it was asked for and came, by `performance.now()`. */
export function tellServerTime(date: string | null, askedMs: number, answeredMs: number): void {
  const dateMs = Date.parse(date ?? '');
  if (Number.isNaN(dateMs)) return;
  const [low, high] = [dateMs - answeredMs, dateMs + dateLagMs - askedMs];
  const narrower = {
    low: Math.max(low, ahead?.low ?? low),
    high: Math.min(high, ahead?.high ?? high),
  };
  // Where the two leave nothing, the server's clock was set.
  ahead = narrower.low <= narrower.high ? narrower : { low, high };
}

/** The browser's own time until an answer has told it. */
export function serverNowMs(): number {
  if (ahead === undefined) return Date.now();
  return performance.now() + (ahead.low + ahead.high) / 2;
}
