// Faults planted in several processes that share a log, to show that their worlds find them.

import type { Invariant } from '../invariants.ts';

/** What is done wrong on purpose. */
export interface ClusterSabotage {
  /** Answers leave before the log has the turn; what the turn grants waits for it. */
  readonly hastyAnswers?: boolean;
  /** Grants leave as soon as they are decided. */
  readonly hastyEffects?: boolean;
  /** Starts a partition when it claims it, whatever comes of the claim. */
  readonly startsEarly?: boolean;
  /** Starts standbys now and then. */
  readonly startsStandbys?: boolean;
  /** Goes on with memory that was ahead of the log when the term was lost. */
  readonly keepsMemory?: boolean;
}

interface Planted {
  readonly sabotage: ClusterSabotage;
  /** Under which of these it is found. */
  readonly expected: readonly Invariant[];
}

/** Every planted fault, by what it does. */
export const clusterSabotages: Readonly<Record<string, Planted>> = {
  'answers before the log has the turn': {
    sabotage: { hastyAnswers: true },
    expected: ['acknowledged_kept', 'accepted_recorded'],
  },
  'grants before the log has the turn': {
    sabotage: { hastyEffects: true },
    expected: ['call_needs_start'],
  },
  'starts before it has read its claim': {
    sabotage: { startsEarly: true },
    expected: ['no_throw', 'copies_live'],
  },
  'starts a standby': {
    sabotage: { startsStandbys: true },
    expected: ['no_throw', 'copies_live'],
  },
  'keeps memory that was ahead of the log': {
    sabotage: { keepsMemory: true },
    expected: ['copies_agree', 'copies_live'],
  },
};
