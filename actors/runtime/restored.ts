// What a restore does to sends that were pending when its backup was cut. The restore raised the
// store's epoch; the log still tells of the old one, and as long as they differ nothing is granted.
// The first turn after the start writes `partition.restored`, which closes the gap, and with `none`
// holds every open send: held sends never start, and get their receipts (`failed`,
// `unknown_outcome`: dead letters that an operator may redrive) in bounded turns. With
// `transactional` it does that to marketing alone. Campaigns that were under way, or may have begun
// since the cut, wait for their author. What a reader would get wrong: the entry names no sends.
// Which are held follows from where it stands in the log.

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

/**
 * What the store says of its last restore: its epoch; memory has acted on it when its own is as
 * high.
 */
export interface Restored extends Life {
  /**
   * Who was erased, by the list that is kept apart from backups. Asked once, when the restore is
   * acted on.
   */
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

/** True from a restore until a turn has acted on it; nothing leaves before. */
export function isRestorePending(state: PartitionState, restored: Restored | undefined): boolean {
  return restored !== undefined && restored.epoch > state.epoch;
}

/**
 * The messages that act on a restore, for the head of the first turn; none when there was none, or
 * it has been done. Whom it brought back is erased first, so that a crash before the end does all
 * of it again.
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

/** The fold of a restore; what is held back in each area is a fold of that area. */
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
