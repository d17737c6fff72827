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

/** Our own headers, and those of the IETF draft. */
export function laneHeaders({
  lane,
  limit,
  remaining,
  reset,
}: LaneState): (readonly [string, string])[] {
  const limitText = limit === null ? 'unlimited' : String(limit);
  const left = limit === null ? 'unlimited' : String(remaining);
  const headers: (readonly [string, string])[] = [
    ['x-ratelimit-lane', lane],
    ['x-ratelimit-limit', limitText],
    ['x-ratelimit-remaining', left],
    ['x-ratelimit-reset', String(reset)],
  ];
  if (limit !== null) {
    headers.push(
      ['ratelimit-policy', `"${lane}";q=${limit};w=60`],
      ['ratelimit', `"${lane}";r=${remaining};t=${reset}`],
    );
  }
  return headers;
}
