// An API key's two rate lanes, how full one is, and the headers that report it.

export type RateLane = 'transactional' | 'standard';

export interface LaneState {
  readonly lane: RateLane;
  /** Units per minute; `null` for no limit. */
  readonly limit: number | null;
  readonly remaining: number | null;
  /** Whole seconds until enough of the window expires. */
  readonly reset: number;
}

/** What a lane without a limit says: programs read a number. No limit can be set above it. */
const unlimited = 1_000_000_000;

/** Our own headers, and those of the IETF draft. */
export function laneHeaders({
  lane,
  limit,
  remaining,
  reset,
}: LaneState): (readonly [string, string])[] {
  const quota = limit ?? unlimited;
  const left = limit === null ? unlimited : (remaining ?? 0);
  return [
    ['x-ratelimit-lane', lane],
    ['x-ratelimit-limit', String(quota)],
    ['x-ratelimit-remaining', String(left)],
    ['x-ratelimit-reset', String(reset)],
    ['ratelimit-policy', `"${lane}";q=${quota};w=60`],
    ['ratelimit', `"${lane}";r=${left};t=${reset}`],
  ];
}
