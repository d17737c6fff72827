// What messages and entries carry of the columns of people. The columns themselves are apart, so
// that a reader of the protocol does not meet them.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';

/** When each person last did one thing. */
export interface LastSeenSnapshot {
  /** Pairs of person and instant, or two columns by person. */
  readonly sparse?: readonly (readonly [PersonOrdinal, Millis])[];
  readonly seconds?: Uint32Array;
  readonly millis?: Uint16Array;
}

/** The newest few instants at which each person did one thing. */
export interface NewestTimesSnapshot {
  readonly kept: number;
  /** By rank, the newest first; no longer than the most that anyone did it. */
  readonly byRank: readonly LastSeenSnapshot[];
}

/** What changed of a person's contacts. Absent members did not. Channels are bits, by catalog. */
export interface ContactChange {
  /** IANA; `null` for none. */
  readonly zone?: string | null;
  /** 0 for no preference. */
  readonly preferred?: number;
  readonly several?: number;
  readonly optedOut?: number;
}

/** Some names of either kind. */
export interface Names {
  readonly events: readonly string[];
  readonly tags: readonly string[];
}
