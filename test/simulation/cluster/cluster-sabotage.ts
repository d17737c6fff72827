// Faults planted in several processes that share a log, to show that their worlds find them.

import type { PartitionStore } from '../../../engine/actor/store.ts';
import type { Invariant } from '../invariants.ts';
import { changedStore } from './copy-checks.ts';

/** What is done wrong on purpose. */
export interface ClusterSabotage {
  /** What a partition writes to, instead of the log and its files. */
  readonly store?: (store: PartitionStore) => PartitionStore;
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
    sabotage: {
      store: (store) =>
        changedStore(store, {
          commit: (turn, durable, stored) => {
            store.commit(turn, () => {}, stored);
            durable();
          },
        }),
    },
    expected: ['acknowledged_kept', 'accepted_recorded', 'call_needs_start'],
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
