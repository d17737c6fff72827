// What a restore does to pending sends. It raises the store's epoch; until the first turn writes
// `partition.restored`, nothing is granted. With `none` that entry holds every open send (they fail
// with `unknown_outcome` in bounded turns), with `transactional` only marketing; campaigns that may
// have begun since the backup wait for their author. The entry names no sends: its place in the log
// says which are held.

import { accepted, type Entry, type Tell } from '../../engine/actor/message.ts';
import type { Applies, Decisions } from '../../engine/actor/protocol.ts';
import type { Millis } from '../../engine/base/brand.ts';
import type { Erasure } from '../../storage/erasures.ts';
import type { ResendMode } from '../../storage/meta.ts';
import type { Area, EveryArea } from '../area.ts';
import type { Caller } from '../tenants/accounts/protocol.ts';
import { eraseAgain } from './erasure.ts';
import { restoredOfPartition } from './restored-state.ts';
import type { AppState, OrgState, PartitionState } from './state.ts';

interface Life {
  readonly epoch: number;
  readonly resend: ResendMode;
}

/** The store's last restore; memory has acted on it once its epoch is as high. */
export interface Restored extends Life {
  /** Erased people by the list outside backups. Called once, when the restore is acted on. */
  erased(): readonly Erasure[];
}

export interface RestoredProtocol {
  'restored.begin': { body: Caller & Life; reply: null };
}

export type RestoredEntry = Entry &
  Life & {
    readonly kind: 'partition.restored';
    /** When it was acted on. */
    readonly atMs: Millis;
  };

/** True from a restore until a turn has acted on it; nothing is sent before. */
export function isRestorePending(state: PartitionState, restored: Restored | undefined): boolean {
  return restored !== undefined && restored.epoch > state.epoch;
}

/**
 * Messages for the first turn after a restore. Erasures come first, so that a crash before the end
 * repeats all of it.
 */
export function restoredTells(
  state: PartitionState,
  restored: Restored | undefined,
): readonly Tell[] {
  if (restored === undefined || !isRestorePending(state, restored)) return [];
  const { epoch, resend } = restored;
  const here = restored.erased().filter(({ app }) => state.apps.has(app));
  const begin = { to: 0, message: { kind: 'restored.begin', by: -1, epoch, resend } };
  return [...eraseAgain(here), begin];
}

interface RestoredRules {
  readonly everyArea: Pick<EveryArea<AppState>, 'restoreBackup'>;
}

const restoredDecisions = ({
  everyArea,
}: RestoredRules): Decisions<RestoredProtocol, PartitionState> => ({
  'restored.begin': (state, { epoch, resend }, context) => {
    if (epoch <= state.epoch) return accepted(null);
    const entry: RestoredEntry = {
      kind: 'partition.restored',
      owner: 0,
      epoch,
      resend,
      atMs: context.nowMs,
    };
    const entries: Entry[] = [entry];
    if (resend !== 'all')
      for (const app of state.apps.values())
        entries.push(...everyArea.restoreBackup(app, context.nowMs));
    return accepted(null, { entries });
  },
});

/** Each area folds what it holds back. */
const restoredApplies: Applies<RestoredEntry, PartitionState> = {
  'partition.restored': (state, { epoch }) => {
    state.epoch = epoch;
  },
};

export const restoredArea = {
  name: 'restored',
  partition: restoredOfPartition,
  decide: restoredDecisions,
  apply: restoredApplies,
  whenDiskIsFull: ['restored.begin'],
} as const satisfies Area<RestoredRules, PartitionState, AppState, OrgState>;
